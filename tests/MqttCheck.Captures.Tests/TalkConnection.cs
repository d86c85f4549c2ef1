using System.Net;

namespace MqttCheck.Captures.Tests;

/// <summary>A TCP connection of a made-up capture, each of whose segments is acknowledged by the next.</summary>
internal sealed class TalkConnection(WireTraffic traffic, IPEndPoint client, IPEndPoint broker)
{
    private uint _clientNext = 0xFFFF_FF00,
        _brokerNext = 1000;

    /// <summary>The three packets of the beginning, each as much later as the other side is away.</summary>
    public TalkConnection Open(long toBroker = 30, long toClient = 20)
    {
        Add(true, WirePacket.Syn, []);
        _clientNext++;
        traffic.Wait(toBroker);
        Add(false, WirePacket.Syn | WirePacket.Ack, []);
        _brokerNext++;
        traffic.Wait(toClient);
        return Acknowledge(true);
    }

    /// <summary>A side sends bytes.</summary>
    public TalkConnection Send(bool fromClient, ReadOnlySpan<byte> data)
    {
        Add(fromClient, WirePacket.Ack, data.ToArray());
        if (fromClient)
            _clientNext += (uint)data.Length;
        else
            _brokerNext += (uint)data.Length;
        return this;
    }

    /// <summary>A side only acknowledges.</summary>
    public TalkConnection Acknowledge(bool fromClient)
    {
        Add(fromClient, WirePacket.Ack, []);
        return this;
    }

    /// <summary>A side sends no more.</summary>
    public TalkConnection Close(bool fromClient)
    {
        Add(fromClient, WirePacket.Fin | WirePacket.Ack, []);
        if (fromClient)
            _clientNext++;
        else
            _brokerNext++;
        return this;
    }

    private void Add(bool fromClient, byte flags, byte[] data) =>
        traffic.Add(
            new(
                traffic.Now,
                fromClient ? client : broker,
                fromClient ? broker : client,
                fromClient ? _clientNext : _brokerNext,
                (flags & WirePacket.Ack) == 0 ? 0
                    : fromClient ? _brokerNext
                    : _clientNext,
                flags,
                data
            )
        );
}
