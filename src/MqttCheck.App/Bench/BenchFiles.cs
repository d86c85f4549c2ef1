using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Runs;
using MqttCheck.Statistics;
using MqttCheck.Text;

namespace MqttCheck.App.Bench;

/// <summary>The files of a benchmark, in a directory of its own.</summary>
internal sealed class BenchFiles(string directory)
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    /// <summary>The results.</summary>
    public string Results => Path.Combine(directory, "bench.json");

    /// <summary>The page.</summary>
    public string Page => Path.Combine(directory, "bench.html");

    /// <summary>A directory named after a broker and the time.</summary>
    /// <param name="broker">The broker as the user named it.</param>
    public static BenchFiles Named(string broker, DateTimeOffset now) =>
        new(Path.Combine("bench", RunFiles.Stamped(broker, now)));

    /// <summary>The messages of a run.</summary>
    /// <param name="run">The run's name, or empty for the only one.</param>
    public string Messages(string run) => Path.Combine(directory, Name("messages", run, ".csv"));

    /// <summary>Writes latencies as a percentile distribution.</summary>
    /// <param name="run">The run's name, or empty for the only one.</param>
    public void WritePercentiles(string run, DurationCounts counts) =>
        Replace(Path.Combine(directory, Name("latency", run, ".hgrm")), counts.WritePercentiles);

    /// <summary>Writes the results.</summary>
    public void Write(BenchDocument document) => AtomicFile.Write(Results, Json(document));

    /// <summary>The results as JSON.</summary>
    public static string Json(BenchDocument document) => JsonSerializer.Serialize(document, s_options) + "\n";

    private static string Name(string kind, string run, string extension) =>
        run.Length == 0 ? kind + extension : $"{kind}-{run}{extension}";

    /// <summary>Writes a text; an earlier file of that name is replaced whole.</summary>
    public static void Replace(string path, Action<TextWriter> write) =>
        AtomicFile.Write(
            path,
            stream =>
            {
                using var writer = new StreamWriter(stream);
                write(writer);
            }
        );
}
