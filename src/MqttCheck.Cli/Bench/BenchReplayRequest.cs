using MqttCheck.Captures.Logs;

namespace MqttCheck.Cli.Bench;

/// <summary>Asks for the traffic of a capture to be sent to a broker.</summary>
/// <param name="Capture">The capture.</param>
/// <param name="Speed">How many times as fast.</param>
/// <param name="Share">The share of the clients that send.</param>
/// <param name="Seed">Decides which.</param>
/// <param name="Drain">How long to wait at the end for what is under way.</param>
internal sealed record BenchReplayRequest(
    CaptureRequest Capture,
    double Speed,
    double Share,
    ulong Seed,
    TimeSpan Drain
);
