using System.Globalization;
using MqttCheck.Profiles;
using static System.FormattableString;

namespace MqttCheck.App.Runs;

/// <summary>The files of a run; those of all its stages have one name in common.</summary>
/// <param name="directory">The directory, usually the current one.</param>
/// <param name="name">The common name of the files.</param>
internal sealed class RunFiles(string directory, string name)
{
    /// <summary>The exchanges of the exploration.</summary>
    public string Log => Path.Combine(directory, "logs", name + ".csv");

    /// <summary>The exchanges of the verification.</summary>
    public string VerificationLog => Path.Combine(directory, "logs", name + ".verify.csv");

    /// <summary>The exchanges of the Monte Carlo runs after a verification.</summary>
    public string MonteCarloLog => Path.Combine(directory, "logs", name + ".monte-carlo.csv");

    /// <summary>The learned model.</summary>
    public string Model => Path.Combine(directory, "models", name + ".json");

    /// <summary>The prediction.</summary>
    public string Prediction => Path.Combine(directory, "predictions", name + ".json");

    /// <summary>The page.</summary>
    public string Report => Path.Combine(directory, "reports", name + ".html");

    /// <summary>The calibration tables.</summary>
    public string Calibration => Path.Combine(directory, "calibrations", name + ".json");

    /// <summary>The verdicts.</summary>
    public string Verdicts => Path.Combine(directory, "verdicts", name + ".json");

    /// <summary>The name itself, or the next one with a number behind it that no file has.</summary>
    /// <param name="path">The path of a file that is named by default.</param>
    public static string Fresh(string path)
    {
        var (stem, ending) = (Path.ChangeExtension(path, null), Path.GetExtension(path));
        for (var number = 2; File.Exists(path); number++)
            path = string.Create(CultureInfo.InvariantCulture, $"{stem}-{number}{ending}");
        return path;
    }

    /// <summary>A prediction of its own, named after model, profiles and time: no earlier one has the name.</summary>
    /// <param name="modelFile">The file of the model.</param>
    /// <param name="fleets">The fleets whose latencies are predicted.</param>
    public static string OfPrediction(
        string directory,
        string modelFile,
        IReadOnlyList<AskedFleet> fleets,
        DateTimeOffset now
    )
    {
        const int longest = 64;
        var profiles = string.Join('-', fleets.Select(fleet => fleet.Population.Name));
        var words = profiles.Length <= longest ? profiles : profiles[..longest];
        var name = Invariant(
            $"{Path.GetFileNameWithoutExtension(modelFile)}-{words}-{now.UtcDateTime:yyyyMMdd-HHmmss}.json"
        );
        return Fresh(Path.Combine(directory, "predictions", name));
    }

    /// <summary>Files named after a broker and the time.</summary>
    /// <param name="broker">The broker as the user named it.</param>
    public static RunFiles Named(string directory, string broker, DateTimeOffset now) =>
        new(directory, Stamped(broker, now));

    /// <summary>A name of a broker and the time, of which every character may stand in a file name.</summary>
    public static string Stamped(string broker, DateTimeOffset now) =>
        Invariant($"{Safe(broker)}-{now.UtcDateTime:yyyyMMdd-HHmmss}");

    /// <summary>A name of which every character may stand in a file name.</summary>
    public static string Safe(string name) =>
        string.Join(
            '-',
            name.Split(name.Where(c => !char.IsAsciiLetterOrDigit(c)).ToArray(), StringSplitOptions.RemoveEmptyEntries)
        );
}
