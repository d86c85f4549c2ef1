using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.App.Bench;

/// <summary>The parameters of a benchmark, besides the broker.</summary>
/// <param name="Workload">The messages to send and their rate.</param>
/// <param name="IsVersionFixed">
/// Whether the workload's version of MQTT is the user's explicit wish; otherwise a broker that lacks it gets 3.1.1.
/// </param>
/// <param name="Client">Which MQTT client carries the messages.</param>
/// <param name="Drain">How long to wait for what is under way at the end.</param>
/// <param name="WithLog">Whether messages are logged.</param>
/// <param name="CompressesLog">Whether the log is compressed.</param>
/// <param name="Seed">The user's seed.</param>
internal sealed record BenchRequest(
    Workload Workload,
    bool IsVersionFixed,
    ClientKind Client,
    TimeSpan Drain,
    bool WithLog,
    bool CompressesLog,
    ulong Seed
);
