using System.Text.Json.Serialization;
using MqttCheck.App.Runs;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Bench;

/// <summary>The result of a benchmark, as its JSON file holds it.</summary>
internal sealed record BenchDocument
{
    /// <summary>Always <c>mqttcheck-bench</c>.</summary>
    public string Format { get; init; } = "mqttcheck-bench";

    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = 1;

    /// <summary>The version of the tool that wrote it.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset Generated { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }

    /// <summary>The machine.</summary>
    public MachineInformation Machine { get; init; } = MachineInformation.Current();

    /// <summary>The runs: one, one for each rate, or one for each broker and size.</summary>
    public required IReadOnlyList<BenchRun> Runs { get; init; }

    /// <summary>Whether the runs differ in their rate only, from the lowest to the highest.</summary>
    public bool IsSweep { get; init; }

    /// <summary>The knee of a sweep, in messages per second.</summary>
    public double? Knee { get; init; }

    /// <summary>Whether the sweep went beyond the knee.</summary>
    public bool IsKneeBracketed { get; init; }

    /// <summary>Whether the user interrupted it.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>The conclusion: an interruption, then a failure, then an invalid run, then a broken promise.</summary>
    [JsonIgnore]
    public Conclusion Conclusion =>
        IsInterrupted ? Conclusion.Interrupted : Conclusions.OfLoads([.. Runs.Select(run => run.Conclusion)]);

    /// <summary>The exit code.</summary>
    public int ExitCode => Verification.Deciding.ExitCode.Of(Conclusion);
}
