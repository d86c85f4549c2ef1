using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Replay;

/// <summary>Asks for a capture to be sent to a broker again.</summary>
internal sealed record ReplaySetup
{
    /// <summary>The capture; its names are sent as they are if it keeps them.</summary>
    public required CaptureRequest Capture { get; init; }

    /// <summary>The broker.</summary>
    public required WireEndpoint Endpoint { get; init; }

    /// <summary>How to log in, or null for anonymous. Those of the capture are not used.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>The newest version of MQTT that the broker speaks.</summary>
    public ProtocolVersion Newest { get; init; } = ProtocolVersion.V5;

    /// <summary>The beginning of all topics. Default: none.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>
    /// The beginning of every topic and client identifier that is a hash, ending with a slash, unique to the run.
    /// </summary>
    public required string Prefix { get; init; }

    /// <summary>How many times as fast as the capture, above 0.</summary>
    public double Speed { get; init; } = 1;

    /// <summary>The share of the clients that send, above 0 and at most 1.</summary>
    public double Share { get; init; } = 1;

    /// <summary>The seed that decides which clients send.</summary>
    public ulong Seed { get; init; }

    /// <summary>How long to wait at the end for what is under way.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How many messages per second the broker may get, or null for no limit.</summary>
    public double? RateCap { get; init; }

    /// <summary>The process of the broker, where it is one of this machine.</summary>
    public int? BrokerProcessId { get; init; }

    /// <summary>A first packet with the login of this broker.</summary>
    public ConnectPacket LoggedIn(ConnectPacket connect) =>
        Credentials is { } login
            ? connect with
            {
                UserName = login.UserName,
                Password = Bytes.FromText(login.Password),
            }
            : connect;
}
