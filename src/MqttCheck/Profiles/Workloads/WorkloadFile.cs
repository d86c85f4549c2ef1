using MqttCheck.Json;

namespace MqttCheck.Profiles.Workloads;

/// <summary>Reads workloads, from JSON files or by the name of a built-in one, and writes them.</summary>
internal static class WorkloadFile
{
    private static readonly BuiltInFiles s_builtIn = new("workloads/");

    /// <summary>The names of the built-in workloads, sorted.</summary>
    public static IReadOnlyList<string> BuiltInNames => s_builtIn.Names;

    /// <summary>Reads a workload.</summary>
    /// <param name="nameOrPath">The name of a built-in one, or the path of a JSON file.</param>
    /// <exception cref="InputException">
    /// There is no such file or name, or the file is malformed or contradictory: every finding, with file, line and
    /// key.
    /// </exception>
    public static Workload Read(string nameOrPath)
    {
        if (BuiltInNames.Contains(nameOrPath))
            return Parse(s_builtIn.Read(nameOrPath), nameOrPath + BuiltInFiles.Extension);
        var allowed = $"the path of a JSON file or one of the built-in names {string.Join(", ", BuiltInNames)}";
        var bytes = InputFile.ReadAllBytes("workload", nameOrPath, allowed, names: BuiltInNames);
        KnownFile.Require(bytes, "workload", nameOrPath, KnownFile.Workload);
        return Parse(bytes, nameOrPath);
    }

    /// <summary>Reads a workload from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name in messages.</param>
    /// <exception cref="InputException">The text is malformed or contradictory.</exception>
    public static Workload Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        var workload = WorkloadFormat.Kind.Parse(utf8Json, source);
        InputException.ThrowIfAny(workload.Validate().Select(error => $"{source}: {error}"));
        return workload;
    }

    /// <summary>The seconds that are read as this time, to the tick.</summary>
    /// <param name="time">The time, 0 .. a day.</param>
    internal static double Seconds(TimeSpan time)
    {
        var seconds = time.TotalSeconds;
        // The product with the ticks of a second may fall just below the whole number.
        return TimeSpan.FromSeconds(seconds) == time ? seconds : double.BitIncrement(seconds);
    }
}
