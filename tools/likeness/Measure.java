import de.jplag.JPlag;
import de.jplag.JPlagComparison;
import de.jplag.options.JPlagOptions;
import java.io.File;
import java.io.PrintWriter;
import java.util.Set;

/** Compares the made programs of a folder with JPlag, and writes jplag.csv there. Usage: java -cp 'lib/*' Measure.java FOLDER */
class Measure {
    public static void main(String[] args) throws Exception {
        long began = System.nanoTime();
        var options = new JPlagOptions(new de.jplag.python3.Language(), Set.of(new File(args[0])), Set.of()).withMaximumNumberOfComparisons(-1);
        var result = new JPlag(options).run();
        double seconds = (System.nanoTime() - began) / 1e9;
        long peak = 0;
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) peak = Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
        }
        try (var out = new PrintWriter(new File(args[0], "jplag.csv"))) {
            out.printf("seconds,%.2f,MiB,%d%n", seconds, peak);
            for (JPlagComparison c : result.getAllComparisons()) {
                out.printf("%s,%s,%.4f,%.4f%n", c.firstSubmission().getName().replace(".py", ""), c.secondSubmission().getName().replace(".py", ""), c.maximalSimilarity(), c.similarity());
            }
        }
    }
}
