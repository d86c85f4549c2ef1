using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Conformance.Sending;

/// <summary>
/// The bytes that a connection of a scenario has to send: packets as a whole, in pieces, or several in one piece.
/// </summary>
/// <param name="wire">The event loop.</param>
/// <param name="connection">The connection.</param>
internal sealed class Outbox(IWire wire, WireConnection connection) : ITimerHandler
{
    // The socket takes one piece at a time, so that the broker may see each of them alone.
    private const long BetweenPiecesNanoseconds = 100_000;

    // The broker has seen the fixed header and the topic in pieces; a large payload would take too long.
    private const int MostPieces = 40;

    private readonly Queue<byte[]> _pieces = new();
    private readonly List<byte> _held = [];
    private long _ticket;

    /// <summary>Sends a packet behind everything that was sent before.</summary>
    /// <param name="packet">Its bytes.</param>
    /// <param name="splitBytes">How many bytes a piece has; 0 for the packet as a whole.</param>
    /// <param name="withNext">Whether it waits for the next packet, or for <see cref="Release"/>.</param>
    public void Send(ReadOnlySpan<byte> packet, int splitBytes = 0, bool withNext = false)
    {
        if (_held.Count == 0 && !withNext)
        {
            Write(packet, splitBytes);
            return;
        }
        _held.AddRange(packet);
        if (withNext)
            return;
        byte[] all = [.. _held];
        _held.Clear();
        Write(all, splitBytes);
    }

    /// <summary>Sends what waits for another packet.</summary>
    public void Release()
    {
        if (_held.Count > 0)
            Send([]);
    }

    /// <summary>Sends everything at once, because the connection ends.</summary>
    public void Flush()
    {
        Release();
        if (_ticket != 0)
            wire.Cancel(_ticket);
        _ticket = 0;
        while (_pieces.TryDequeue(out var piece))
            connection.Send(piece);
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _ticket = 0;
        if (_pieces.TryDequeue(out var piece))
            connection.Send(piece);
        if (_pieces.Count > 0)
            Arm();
    }

    private void Write(ReadOnlySpan<byte> bytes, int splitBytes)
    {
        if (splitBytes == 0 && _pieces.Count == 0)
        {
            connection.Send(bytes);
            return;
        }
        for (var piece = 1; splitBytes > 0 && bytes.Length > splitBytes && piece < MostPieces; piece++)
        {
            _pieces.Enqueue(bytes[..splitBytes].ToArray());
            bytes = bytes[splitBytes..];
        }
        _pieces.Enqueue(bytes.ToArray());
        if (_ticket == 0)
            Arm();
    }

    private void Arm() => _ticket = wire.Schedule(this, wire.NowNanoseconds + BetweenPiecesNanoseconds, 0);
}
