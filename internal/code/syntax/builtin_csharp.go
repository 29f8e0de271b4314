package syntax

import (
	"maps"
	"slices"
)

var (
	// csharpImplicit are the namespaces that a project sees unless it says otherwise.
	csharpImplicit = []string{"System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks"}
	// csharpKnown are types of namespaces that are often imported.
	csharpKnown = map[string]map[string]bool{
		"System": words(`Action Activator AggregateException AppContext AppDomain ArgumentException ArgumentNullException ArgumentOutOfRangeException Array Attribute
			BitConverter Boolean Byte Char Console Convert DateOnly DateTime DateTimeOffset Decimal Delegate DivideByZeroException Double Enum Environment EventArgs
			EventHandler Exception FormatException Func GC Guid HashCode IAsyncDisposable IComparable IDisposable IEquatable IFormatProvider IServiceProvider Index
			IndexOutOfRangeException Int16 Int32 Int64 InvalidCastException InvalidOperationException Lazy Math MathF Memory NotImplementedException
			NotSupportedException Nullable NullReferenceException Object ObjectDisposedException OperationCanceledException OutOfMemoryException OverflowException
			PlatformNotSupportedException Predicate Progress Random Range ReadOnlyMemory ReadOnlySpan Single Span String StringComparer StringComparison SystemException
			TimeOnly TimeSpan TimeZoneInfo TimeoutException Tuple Type UnauthorizedAccessException Uri UriBuilder ValueTuple Version WeakReference`),
		"System.Collections.Generic": words(`Comparer Dictionary EqualityComparer HashSet IAsyncEnumerable ICollection IComparer IDictionary IEnumerable IEnumerator
			IEqualityComparer IList IReadOnlyCollection IReadOnlyDictionary IReadOnlyList ISet KeyNotFoundException KeyValuePair LinkedList List PriorityQueue Queue
			SortedDictionary SortedList SortedSet Stack`),
		"System.IO": words(`BinaryReader BinaryWriter BufferedStream Directory DirectoryInfo DirectoryNotFoundException EndOfStreamException File FileAccess FileInfo FileMode
			FileNotFoundException FileShare FileStream FileSystemWatcher IOException InvalidDataException MemoryStream Path SearchOption Stream StreamReader StreamWriter
			StringReader StringWriter TextReader TextWriter`),
		"System.Linq":            words("Enumerable IGrouping ILookup IOrderedEnumerable IQueryable Queryable"),
		"System.Net.Http":        words("HttpClient HttpClientHandler HttpContent HttpMethod HttpRequestException HttpRequestMessage HttpResponseMessage SocketsHttpHandler StringContent"),
		"System.Threading":       words("CancellationToken CancellationTokenSource Interlocked Lock ManualResetEventSlim Monitor Mutex SemaphoreSlim Thread ThreadPool Timeout Timer Volatile"),
		"System.Threading.Tasks": words("Parallel Task TaskCompletionSource ValueTask"),
		"System.Diagnostics":     words("Activity Debug Debugger Process ProcessStartInfo StackTrace Stopwatch Trace"),
		"System.Text":            words("Encoding StringBuilder"), "System.Text.RegularExpressions": words("Match Regex RegexOptions"),
		"System.Text.Json": words("JsonDocument JsonElement JsonException JsonSerializer JsonSerializerOptions"),
		"Xunit":            words("Assert Record"), "NUnit.Framework": words("Assert CollectionAssert StringAssert"),
		"Microsoft.VisualStudio.TestTools.UnitTesting": words("Assert CollectionAssert StringAssert"),
		"System.Net":                                     words("Dns HttpListener HttpStatusCode IPAddress ServicePointManager WebClient WebRequest WebUtility"),
		"System.Data.SqlClient":                          words("SqlCommand SqlConnection SqlDataAdapter SqlDataReader SqlException SqlParameter"),
		"Microsoft.Data.SqlClient":                       words("SqlCommand SqlConnection SqlDataAdapter SqlDataReader SqlException SqlParameter"),
		"System.Security.Cryptography":                   words("Aes DES HMACSHA256 MD5 RNGCryptoServiceProvider RSA RandomNumberGenerator Rfc2898DeriveBytes SHA1 SHA256 SHA512"),
		"System.Runtime.Serialization.Formatters.Binary": words("BinaryFormatter"),
		"Microsoft.AspNetCore.Http":                      words("HttpContext HttpRequest HttpResponse IFormFile IFormFileCollection IResult Results StatusCodes"),
		"Microsoft.AspNetCore.Mvc":                       words("ActionResult Controller ControllerBase IActionResult"),
		"Microsoft.CodeAnalysis.CSharp.Scripting":        words("CSharpScript"),
	}
)

// Given are the packages of a language whose names a file has without an import.
func Given(language string) []string {
	switch language {
	case "java":
		return []string{"java.lang"}
	case "c#":
		return csharpImplicit
	}
	return nil
}

// Brings are the names of types that are known of a package of a language's library,
// sorted; none where nothing is known of it.
func Brings(language, pkg string) []string {
	known := javaKnown
	if pkg == "java.lang" {
		return slices.Sorted(maps.Keys(javaLang))
	}
	if language == "c#" {
		known = csharpKnown
	}
	return slices.Sorted(maps.Keys(known[pkg]))
}
