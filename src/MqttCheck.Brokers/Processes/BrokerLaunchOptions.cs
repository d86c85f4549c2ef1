using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Processes;

/// <summary>How brokers are started and reached.</summary>
public sealed record BrokerLaunchOptions
{
    /// <summary>How to log in to a running broker or to one started by a command of the user; null for anonymous. Installed brokers are set up with
    /// their own.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>How to speak TLS with a running broker whose address asks for it: whom to trust, and the client's certificate. Default: the
    /// authorities of the system.</summary>
    public TlsClientOptions Tls { get; init; } = new();

    /// <summary>Whether a running broker may be on another machine. Default no: a load test reaches a stranger's broker only on purpose.</summary>
    public bool AllowRemote { get; init; }

    /// <summary>
    /// The program that serves as the embedded broker. It prints <c>listening on 127.0.0.1:PORT</c> as its first line and ends when its standard
    /// input does, or on SIGTERM.
    /// </summary>
    public BrokerCommand? EmbeddedCommand { get; init; }

    /// <summary>What is known of the embedded broker that the program cannot tell: its settings, such as the delay law.</summary>
    public IReadOnlyDictionary<string, string> EmbeddedDetails { get; init; } = new Dictionary<string, string>();

    /// <summary>How long a broker may take until it answers. Default 60 s.</summary>
    public TimeSpan StartTimeout { get; init; } = TimeSpan.FromSeconds(60);
}
