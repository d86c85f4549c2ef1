namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker that comes with the measuring program, and runs in a process of its own. The program supplies the command,
/// so that this library does not depend on the broker's implementation.
/// </summary>
/// <param name="Command">
/// Serves it: prints <c>listening on 127.0.0.1:PORT</c> as its first line, and ends when its standard input does, or on
/// SIGTERM.
/// </param>
/// <param name="Version">Its version.</param>
/// <param name="Details">Settings that affect latencies, by name.</param>
internal sealed record HostedBroker(BrokerCommand Command, string Version, IReadOnlyDictionary<string, string> Details);
