namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker that comes with the program that measures, and runs in a process of its own. The library knows its name
/// only: the program brings the command, so that what the broker is made of stays out of the library.
/// </summary>
/// <param name="Command">
/// Serves it: prints <c>listening on 127.0.0.1:PORT</c> as its first line, and ends when its standard input does, or on
/// SIGTERM.
/// </param>
/// <param name="Version">Its version.</param>
/// <param name="Details">Settings that move latencies, by name.</param>
public sealed record HostedBroker(BrokerCommand Command, string Version, IReadOnlyDictionary<string, string> Details);
