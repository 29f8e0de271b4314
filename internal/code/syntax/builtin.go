package syntax

import "strings"

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

var (
	// javaLang are classes of java.lang.
	javaLang = words(`Appendable AutoCloseable Boolean Byte CharSequence Character Class ClassLoader ClassNotFoundException Cloneable Comparable Deprecated Double Enum Error
		Exception Float FunctionalInterface IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer InterruptedException Iterable Long Math
		NullPointerException Number NumberFormatException Object Override Process ProcessBuilder Readable Record Runnable Runtime RuntimeException SafeVarargs
		SecurityException Short StackTraceElement StrictMath String StringBuffer StringBuilder SuppressWarnings System Thread ThreadGroup ThreadLocal Throwable
		UnsupportedOperationException Void ReflectiveOperationException CloneNotSupportedException ArithmeticException ArrayIndexOutOfBoundsException
		ClassCastException AssertionError OutOfMemoryError StackOverflowError LinkageError NoSuchMethodException NoSuchFieldException InstantiationException
		IllegalAccessException ProcessHandle Module Package StackWalker ThreadDeath VirtualMachineError ExceptionInInitializerError`)
	// javaKnown are classes that are often imported by whole packages.
	javaKnown = map[string]map[string]bool{
		"java.sql": words("Connection Statement PreparedStatement CallableStatement ResultSet DriverManager SQLException Date Timestamp Types"),
		"java.io": words(`File FileInputStream FileOutputStream FileReader FileWriter InputStream OutputStream IOException ObjectInputStream ObjectOutputStream BufferedReader
			BufferedWriter InputStreamReader OutputStreamWriter PrintWriter PrintStream ByteArrayInputStream ByteArrayOutputStream Serializable Closeable Reader Writer
			UncheckedIOException FileNotFoundException StringReader StringWriter RandomAccessFile`),
		"java.util": words(`List Map Set ArrayList HashMap HashSet LinkedList LinkedHashMap TreeMap Collections Arrays Random Scanner Optional UUID Objects Iterator
			Properties Collection Queue Deque ArrayDeque Date Locale StringJoiner Base64 Comparator`),
		"java.net":      words("URL URI Socket ServerSocket HttpURLConnection URLConnection URLDecoder URLEncoder InetAddress"),
		"java.nio.file": words("Path Paths Files StandardCopyOption FileSystems NoSuchFileException"),
		"java.security": words("MessageDigest SecureRandom KeyStore NoSuchAlgorithmException"),
		"javax.servlet": words("ServletException ServletRequest ServletResponse Filter FilterChain"), "jakarta.servlet": words("ServletException ServletRequest ServletResponse Filter FilterChain"),
		"javax.servlet.http":                      words("HttpServlet HttpServletRequest HttpServletResponse Cookie HttpSession"),
		"jakarta.servlet.http":                    words("HttpServlet HttpServletRequest HttpServletResponse Cookie HttpSession"),
		"javax.script":                            words("ScriptEngine ScriptEngineManager ScriptException"),
		"javax.xml.parsers":                       words("DocumentBuilderFactory DocumentBuilder SAXParserFactory SAXParser"),
		"javax.net.ssl":                           words("SSLContext TrustManager X509TrustManager HostnameVerifier HttpsURLConnection SSLSession"),
		"org.springframework.web.bind.annotation": words("RestController GetMapping PostMapping PutMapping DeleteMapping RequestMapping RequestParam PathVariable RequestBody RequestHeader"),
	}
)
