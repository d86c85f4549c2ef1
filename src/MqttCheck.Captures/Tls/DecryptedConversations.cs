using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;

namespace MqttCheck.Captures.Tls;

/// <summary>The decrypted connections of a capture, read beside the capture itself.</summary>
/// <param name="records">The decrypted bytes.</param>
/// <param name="open">Makes the conversation of a connection.</param>
internal sealed class DecryptedConversations(TlsRecords records, Func<FlowKey, TcpBeginning, MqttConversation> open)
{
    private const int MostConversations = 1 << 17;

    private readonly Dictionary<FlowKey, MqttConversation> _conversations = [];
    private readonly CaptureCounts _counts = new();
    private CaptureFileReader? _reader;
    private (FlowKey Key, int Side, long Nanoseconds, byte[] Bytes)? _next;
    private bool _isAtEnd,
        _isAny;

    /// <summary>A connection begins anew.</summary>
    public void Restart(FlowKey ends) => _conversations.Remove(ends);

    /// <summary>A side sends no more.</summary>
    public void Close(FlowKey ends, int side, long nanoseconds)
    {
        if (_conversations.TryGetValue(ends, out var conversation))
            conversation.Closed(side, nanoseconds);
    }

    /// <summary>Takes what was sent until a time.</summary>
    /// <param name="nanoseconds">The time.</param>
    /// <exception cref="InputException">It is the end, and nothing was decrypted.</exception>
    public void ReadUntil(long nanoseconds)
    {
        while (!_isAtEnd)
        {
            _next ??= Read();
            if (_next is not { } next)
            {
                _isAtEnd = true;
                if (!_isAny)
                    throw records.Failure();
                return;
            }
            if (next.Nanoseconds > nanoseconds)
                return;
            _next = null;
            Take(next.Key, next.Side, next.Nanoseconds, next.Bytes);
        }
    }

    private void Take(FlowKey key, int side, long nanoseconds, byte[] bytes)
    {
        if (!_conversations.TryGetValue(key, out var conversation))
        {
            if (_conversations.Count == MostConversations)
                _conversations.Clear();
            // The first bytes of a client say that it is one.
            var isClient = bytes[0] == 0x10 || bytes.AsSpan().StartsWith("GET "u8);
            conversation = open(key, new(isClient ? side : -1, isClient, null));
            _conversations.Add(key, conversation);
        }
        conversation.Data(side, bytes, nanoseconds);
    }

    private (FlowKey Key, int Side, long Nanoseconds, byte[] Bytes)? Read()
    {
        try
        {
            _reader ??= new(records.Output, _counts);
        }
        catch (InvalidDataException)
        {
            return null;
        }
        while (_reader.TryRead(out var frame))
        {
            if (frame.LinkType != DecryptedRecord.LinkType || !DecryptedRecord.TryParse(frame, out var record))
                continue;
            _isAny = true;
            var key = FlowKey.Of(record.Source, record.Destination, out var side);
            return (key, side, record.Nanoseconds, record.Bytes.ToArray());
        }
        return null;
    }
}
