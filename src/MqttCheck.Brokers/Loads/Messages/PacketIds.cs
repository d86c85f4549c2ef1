namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>
/// The packet identifiers of one publisher and the messages that hold them. Identifiers are assigned from 1 on, and the
/// one returned last is used first. Memory therefore depends on the most messages that were ever in flight, not on the
/// window. Ten thousand publishers with a wide window hardly ever fill it.
/// </summary>
internal sealed class PacketIds
{
    private const int FirstIds = 4;
    private const long Free = -1;

    private long[] _numberOfId = [];
    private ushort[] _returned = [];
    private int _returnedCount,
        _used;

    /// <summary>Forgets all identifiers, as a new session does.</summary>
    public void Clear() => _returnedCount = _used = 0;

    /// <summary>Gives a message an identifier.</summary>
    /// <param name="number">The number of the message.</param>
    /// <returns>The identifier; the caller holds no more than 65 535.</returns>
    public ushort Take(long number)
    {
        var id = _returnedCount > 0 ? _returned[--_returnedCount] : (ushort)++_used;
        if (id > _numberOfId.Length)
        {
            var length = Math.Max(FirstIds, _numberOfId.Length * 2);
            Array.Resize(ref _numberOfId, length);
            Array.Resize(ref _returned, length);
        }
        _numberOfId[id - 1] = number;
        return id;
    }

    /// <summary>The message that holds an identifier.</summary>
    /// <param name="id">The identifier in the broker's packet.</param>
    /// <param name="number">The number of the message.</param>
    /// <returns>Whether there is one.</returns>
    public bool TryFind(ushort id, out long number)
    {
        number = id >= 1 && id <= _used ? _numberOfId[id - 1] : Free;
        return number != Free;
    }

    /// <summary>Takes an identifier back.</summary>
    /// <param name="id">The identifier of a message.</param>
    public void Return(ushort id)
    {
        _numberOfId[id - 1] = Free;
        _returned[_returnedCount++] = id;
    }
}
