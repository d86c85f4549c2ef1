using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>One connection of a client through the proxy of plants, packet by packet.</summary>
/// <param name="place">The proxy.</param>
/// <param name="send">Sends a packet on: whether down to the client, and which.</param>
internal sealed class PlantLine(IPlantPlace place, Action<bool, byte[]> send)
{
    private readonly List<(bool IsDown, PacketType Type, int Id, Action<byte[]> Take)> _waiting = [];

    /// <summary>The identifier of its client, once that has connected.</summary>
    public string ClientId { get; private set; } = "";

    /// <summary>A PUBLISH that waits for another one to pass it.</summary>
    public PlantedMessage? Held { get; set; }

    /// <summary>All lines of its proxy.</summary>
    public IReadOnlyList<PlantLine> Others => place.Lines;

    /// <summary>Sends a packet on.</summary>
    /// <param name="isDown">Whether it goes to the client.</param>
    /// <param name="packet">The packet.</param>
    public void Send(bool isDown, byte[] packet) => send(isDown, packet);

    /// <summary>Takes the next packet of a type and an identifier instead of sending it on.</summary>
    public void Take(bool isDown, PacketType type, int id, Action<byte[]>? take = null) =>
        _waiting.Add((isDown, type, id, take ?? (_ => { })));

    /// <summary>Does something a while later, when messages behind this one have passed.</summary>
    public void Later(Action act) => place.Later(act);

    /// <summary>Takes a packet that somebody sends.</summary>
    /// <param name="isDown">Whether the broker sends it.</param>
    /// <param name="packet">The packet.</param>
    public void Pass(bool isDown, byte[] packet)
    {
        var type = (PacketType)(packet[0] >> 4);
        if (
            type == PacketType.Connect
            && PacketDecoder.Observe(packet, ProtocolVersion.V311, PacketOrigin.Client).Packet is ConnectPacket connect
        )
            ClientId = connect.ClientId;
        var id = type is PacketType.Publish or PacketType.Connect or PacketType.Connack ? 0 : IdOf(packet);
        var index = _waiting.FindIndex(one => (one.IsDown, one.Type, one.Id) == (isDown, type, id));
        if (index >= 0)
        {
            var taken = _waiting[index];
            _waiting.RemoveAt(index);
            taken.Take(packet);
        }
        else if (!place.Plant.Takes(this, isDown, type, packet))
        {
            Send(isDown, packet);
        }
    }

    private static int IdOf(byte[] packet) => packet.Length < 4 ? 0 : (packet[2] << 8) | packet[3];
}
