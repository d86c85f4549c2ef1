using System.Net;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Hosting;

/// <summary>How a worker runs.</summary>
internal sealed record WorkerOptions
{
    /// <summary>The address at which workers find each other.</summary>
    public required WorkerAddress Join { get; init; }

    /// <summary>How many shards are computed at once, 1 or more; by default one for each processor.</summary>
    public int Slots { get; init; } = Environment.ProcessorCount;

    /// <summary>The address on which it listens, and under which others reach it. Default: loopback.</summary>
    public IPAddress Listen { get; init; } = IPAddress.Loopback;

    /// <summary>
    /// The port for other workers; coordinators use the next one. Null for any two that are free, and for the first
    /// worker of an address without Redis the ports of that address.
    /// </summary>
    public int? Port { get; init; }

    /// <summary>The protection of its connections.</summary>
    public required WorkerSecurity Security { get; init; }

    /// <summary>The clocks that it reads. For tests.</summary>
    internal WorkerClock Clock { get; init; } = WorkerClock.True;

    /// <summary>The software identity that it reports; null for its own. For tests.</summary>
    internal SoftwareIdentity? Identity { get; init; }
}
