using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Captures.Messages;

/// <summary>
/// Splits what one side sent into packets. Bytes may be missing: within the payload of a PUBLISH they are passed over,
/// since its length is known. Anywhere else the stream is read again from the next segment that is at a border of
/// packets.
/// </summary>
/// <param name="conversation">Takes the packets.</param>
/// <param name="isFromClient">Whether the client is the sender.</param>
internal sealed class PacketSplitter(MqttConversation conversation, bool isFromClient)
{
    // A topic name and the properties of a message find room; what is longer is payload.
    private const int MostBuffered = 1 << 17;
    private const int MostTried = 1 << 16;

    private readonly List<(int Length, long Nanoseconds)> _tried = [];
    private byte[] _buffer = [];
    private int _count,
        _total,
        _skip;
    private long _first;

    /// <summary>Whether the border of packets is known.</summary>
    public bool IsInStep { get; private set; }

    /// <summary>Whether bytes are no MQTT.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>The next byte begins a packet.</summary>
    public void Begin() => IsInStep = true;

    /// <summary>Bytes are missing.</summary>
    /// <param name="count">How many; the largest number if it is not known.</param>
    /// <param name="nanoseconds">When the next byte was sent.</param>
    public void Miss(long count, long nanoseconds)
    {
        if (!IsInStep)
        {
            PassOver();
            return;
        }
        var isPublish = _count > 0 && _buffer[0] >> 4 == (int)PacketType.Publish;
        if (_skip == 0 && isPublish && _total > 0)
            _skip = _total - _count;
        if (_skip >= count && isPublish)
        {
            _skip -= (int)count;
            if (_skip == 0)
                Hand(nanoseconds);
            return;
        }
        IsInStep = false;
        conversation.Counts.PassedOverBytes += _count;
        (_count, _total, _skip) = (0, 0, 0);
        conversation.Lost(isFromClient, nanoseconds);
    }

    /// <summary>Takes bytes.</summary>
    /// <param name="bytes">The bytes of a segment.</param>
    /// <param name="nanoseconds">When.</param>
    public void Take(ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        if (IsBroken)
            return;
        if (IsInStep)
            Split(bytes, nanoseconds);
        else
            Try(bytes, nanoseconds);
    }

    private void Split(ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        while (!bytes.IsEmpty && !IsBroken)
        {
            if (_skip > 0)
            {
                var passed = Math.Min(_skip, bytes.Length);
                bytes = bytes[passed..];
                _skip -= passed;
                if (_skip == 0)
                    Hand(nanoseconds);
                continue;
            }
            if (_count == 0)
            {
                var status = PacketFrame.TryRead(bytes, MostBuffered, out var frame);
                if (status == FrameStatus.Complete)
                {
                    conversation.Take(
                        new()
                        {
                            Bytes = bytes[..frame.TotalLength],
                            TotalLength = frame.TotalLength,
                            IsFromClient = isFromClient,
                            FirstNanoseconds = nanoseconds,
                            LastNanoseconds = nanoseconds,
                        }
                    );
                    bytes = bytes[frame.TotalLength..];
                    continue;
                }
                _first = nanoseconds;
            }
            bytes = Collect(bytes, nanoseconds);
        }
    }

    // Collects a packet that began before, or does not end here.
    private ReadOnlySpan<byte> Collect(ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        var wanted = _total == 0 ? 1 : Math.Min(_total, MostBuffered) - _count;
        var taken = Math.Min(wanted, bytes.Length);
        if (_buffer.Length < _count + taken)
            Array.Resize(ref _buffer, Math.Max(64, Math.Max(_count + taken, _buffer.Length * 2)));
        bytes[..taken].CopyTo(_buffer.AsSpan(_count));
        _count += taken;
        if (_total == 0)
        {
            var status = PacketFrame.TryRead(_buffer.AsSpan(0, _count), int.MaxValue, out var frame);
            if (status == FrameStatus.Malformed)
                Break();
            _total = frame.TotalLength;
        }
        if (_total > 0 && _count == Math.Min(_total, MostBuffered))
        {
            _skip = _total - _count;
            if (_skip == 0)
                Hand(nanoseconds);
        }
        return bytes[taken..];
    }

    private void Hand(long nanoseconds)
    {
        var (count, total) = (_count, _total);
        (_count, _total, _skip) = (0, 0, 0);
        conversation.Take(
            new()
            {
                Bytes = _buffer.AsSpan(0, count),
                TotalLength = total,
                IsFromClient = isFromClient,
                FirstNanoseconds = _first,
                LastNanoseconds = nanoseconds,
            }
        );
        // A rare long packet keeps no memory.
        if (_buffer.Length > 1 << 14)
            _buffer = [];
    }

    private void Break()
    {
        IsBroken = true;
        _buffer = [];
        conversation.Break();
    }

    private void Try(ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        if (_count + bytes.Length > MostTried)
            PassOver();
        if (bytes.Length > MostTried)
        {
            conversation.Counts.PassedOverBytes += bytes.Length;
            return;
        }
        if (_buffer.Length < _count + bytes.Length)
            Array.Resize(ref _buffer, Math.Max(_count + bytes.Length, _buffer.Length * 2));
        bytes.CopyTo(_buffer.AsSpan(_count));
        _count += bytes.Length;
        _tried.Add((bytes.Length, nanoseconds));
        while (_count > 0)
        {
            var status = PacketBorders.Judge(
                _buffer.AsSpan(0, _count),
                conversation.IsVersionCertain ? conversation.Version : null,
                isFromClient ? PacketOrigin.Client : PacketOrigin.Server,
                out _
            );
            if (status == FrameStatus.NeedMore)
                return;
            if (status == FrameStatus.Complete)
            {
                Resume();
                return;
            }
            // The next segment may be at a border.
            var passed = _tried[0].Length;
            _tried.RemoveAt(0);
            _buffer.AsSpan(passed, _count - passed).CopyTo(_buffer);
            _count -= passed;
            conversation.Counts.PassedOverBytes += passed;
        }
    }

    private void Resume()
    {
        var (bytes, segments) = (_buffer.AsSpan(0, _count).ToArray(), _tried.ToArray());
        _tried.Clear();
        _count = 0;
        IsInStep = true;
        conversation.Counts.Resumed++;
        var at = 0;
        foreach (var (length, nanoseconds) in segments)
        {
            Split(bytes.AsSpan(at, length), nanoseconds);
            at += length;
        }
    }

    private void PassOver()
    {
        conversation.Counts.PassedOverBytes += _count;
        _count = 0;
        _tried.Clear();
    }
}
