using System.Net.Sockets;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>One connection of a client through the proxy of plants, packet by packet.</summary>
internal sealed class PlantLine(PlantProxy proxy, Socket client, Socket broker)
{
    private const int MostPacketBytes = 1 << 20;

    private readonly List<(bool IsDown, PacketType Type, int Id, Action<byte[]> Take)> _waiting = [];

    /// <summary>The identifier of its client, once that has connected.</summary>
    public string ClientId { get; private set; } = "";

    /// <summary>A PUBLISH that waits for another one to pass it.</summary>
    public PlantedMessage? Held { get; set; }

    /// <summary>All lines of its proxy.</summary>
    public IReadOnlyList<PlantLine> Others => proxy.Lines;

    /// <summary>Sends a packet on.</summary>
    /// <param name="isDown">Whether it goes to the client.</param>
    /// <param name="packet">The packet.</param>
    public void Send(bool isDown, byte[] packet)
    {
        try
        {
            (isDown ? client : broker).Send(packet);
        }
        catch (SocketException)
        {
            // The connection has ended meanwhile.
        }
    }

    /// <summary>Takes the next packet of a type and an identifier instead of sending it on.</summary>
    public void Take(bool isDown, PacketType type, int id, Action<byte[]>? take = null) =>
        _waiting.Add((isDown, type, id, take ?? (_ => { })));

    /// <summary>Passes both directions on until one ends.</summary>
    public async Task RunAsync()
    {
        await Task.WhenAny(PumpAsync(client, isDown: false), PumpAsync(broker, isDown: true));
        client.Dispose();
        broker.Dispose();
    }

    private async Task PumpAsync(Socket from, bool isDown)
    {
        var buffer = new byte[MostPacketBytes];
        var filled = 0;
        try
        {
            while (await from.ReceiveAsync(buffer.AsMemory(filled)) is > 0 and var count)
            {
                filled += count;
                var consumed = 0;
                while (Frame(buffer.AsSpan(consumed, filled - consumed)) is > 0 and var length)
                {
                    var packet = buffer.AsSpan(consumed, length).ToArray();
                    lock (proxy)
                        Pass(isDown, packet);
                    consumed += length;
                }
                buffer.AsSpan(consumed, filled - consumed).CopyTo(buffer);
                filled -= consumed;
            }
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // The other direction has ended.
        }
    }

    private static int Frame(ReadOnlySpan<byte> bytes) =>
        PacketFrame.TryRead(bytes, MostPacketBytes, out var frame) == FrameStatus.Complete ? frame.TotalLength : 0;

    private void Pass(bool isDown, byte[] packet)
    {
        var type = (PacketType)(packet[0] >> 4);
        if (
            type == PacketType.Connect
            && PacketDecoder.Observe(packet, ProtocolVersion.V311, PacketOrigin.Client).Packet is ConnectPacket connect
        )
            ClientId = connect.ClientId;
        var id = type is PacketType.Publish or PacketType.Connect or PacketType.Connack ? 0 : IdOf(packet);
        var place = _waiting.FindIndex(one => (one.IsDown, one.Type, one.Id) == (isDown, type, id));
        if (place >= 0)
        {
            var taken = _waiting[place];
            _waiting.RemoveAt(place);
            taken.Take(packet);
        }
        else if (!proxy.Plant.Takes(this, isDown, type, packet))
        {
            Send(isDown, packet);
        }
    }

    private static int IdOf(byte[] packet) => packet.Length < 4 ? 0 : (packet[2] << 8) | packet[3];
}
