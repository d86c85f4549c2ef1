using MqttCheck.Reports.Input;

namespace MqttCheck.Cli.Results;

/// <summary>The contents of a verdict file.</summary>
internal sealed record VerdictDocument
{
    /// <summary>Always <c>mqttcheck-verdicts</c>.</summary>
    public string Format { get; init; } = VerdictFile.Format;

    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = VerdictFile.Version;

    /// <summary>The version of the tool that wrote it.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>The broker that was measured, without credentials.</summary>
    public required BrokerReport Broker { get; init; }

    /// <summary>The prediction file.</summary>
    public required string Prediction { get; init; }

    /// <summary>
    /// The SHA-256 of the prediction file, in lower-case hexadecimal digits; null in files of version 1.
    /// </summary>
    public string? PredictionSha256 { get; init; }

    /// <summary>
    /// The SHA-256 of the model file that the prediction was made with; null in files of version 1.
    /// </summary>
    public string? ModelSha256 { get; init; }

    /// <summary>The log of the verification.</summary>
    public required string Log { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }

    /// <summary>Whether it was interrupted.</summary>
    public bool Interrupted { get; init; }

    /// <summary>The warnings to the user.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The verdicts.</summary>
    public required IReadOnlyList<VerdictReport> Verdicts { get; init; }
}
