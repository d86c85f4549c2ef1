using MqttCheck.Broker.Core;
using MqttCheck.Broker.Peers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker.Peers;

/// <summary>A broker that works together with others, anew for each test.</summary>
internal abstract class PeerFixture
{
    protected RecordedPeers Peers { get; private set; } = null!;

    protected BrokerBench Bench { get; private set; } = null!;

    [SetUp]
    public void Begin()
    {
        Peers = new RecordedPeers();
        Bench = new BrokerBench(
            new BrokerOptions
            {
                Peers = Peers,
                Limits = new BrokerLimits { PacketBytes = 200, ReceiveMaximum = 2 },
            }
        );
    }

    /// <summary>The property by which a peer is told from a client.</summary>
    protected static UserProperty Greeting(string text) => new(PeerProtocol.PropertyName, text);

    protected BenchClient Connect(string clientId, WillMessage? will = null, params UserProperty[] properties)
    {
        var client = Bench.Open(ProtocolVersion.V5);
        client.Send(
            new ConnectPacket
            {
                ClientId = clientId,
                Will = will,
                Properties = new PacketProperties { UserProperties = ValueList.Create<UserProperty>(properties) },
            }
        );
        client.Connack = client.Take<ConnackPacket>();
        return client;
    }
}
