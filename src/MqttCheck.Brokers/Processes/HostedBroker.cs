namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker that comes with the measuring program, and runs in a process of its own. The program supplies the command,
/// so that this library does not depend on the broker's implementation.
/// </summary>
/// <param name="Serve">
/// The command that serves it. Without a port: prints <c>listening on 127.0.0.1:PORT</c> as its first line, and ends
/// when its standard input does, or on SIGTERM. With a port: serves that one until SIGTERM.
/// </param>
/// <param name="Version">Its version.</param>
/// <param name="Details">Settings that affect latencies, by name.</param>
internal sealed record HostedBroker(
    Func<int?, BrokerCommand> Serve,
    string Version,
    IReadOnlyDictionary<string, string> Details
);
