using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Processes;

/// <summary>How brokers are started and reached.</summary>
internal sealed record BrokerLaunchOptions
{
    /// <summary>How many messages per second a broker on another machine gets unless the user gives a cap.</summary>
    public const int UsualRemoteRate = 1000;

    /// <summary>
    /// How to log in to a running broker or to one started by a command of the user; null for anonymous. Installed
    /// brokers are set up with their own.
    /// </summary>
    public Credentials? Credentials { get; init; }

    /// <summary>
    /// The TLS options for a running broker whose address asks for TLS: trusted authorities and the client's
    /// certificate. Default: the authorities of the system.
    /// </summary>
    public TlsClientOptions Tls { get; init; } = new();

    /// <summary>
    /// Whether a running broker may be on another machine. Default no, so that a load test never reaches a foreign
    /// broker by accident.
    /// </summary>
    public bool AllowRemote { get; init; }

    /// <summary>
    /// The program of a broker that comes with the one that measures, such as the embedded one; null where there is
    /// none. Default: none for any.
    /// </summary>
    public Func<BrokerSpecification, HostedBroker?> Hosted { get; init; } = _ => null;

    /// <summary>Whether clients of a cluster go to the next node after a failure. Default no.</summary>
    public bool Failover { get; init; }

    /// <summary>How long a broker may take until it answers. Default 60 s.</summary>
    public TimeSpan StartTimeout { get; init; } = TimeSpan.FromSeconds(60);
}
