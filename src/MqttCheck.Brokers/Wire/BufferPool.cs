using System.Buffers;

namespace MqttCheck.Brokers.Wire;

/// <summary>
/// Byte buffers of one wire's thread. Most messages fit the small size, whose buffers are kept here. A batch may need
/// one for every connection, which is more than the shared pool holds. Idle connections hold none.
/// </summary>
internal sealed class BufferPool
{
    /// <summary>Length of a small buffer.</summary>
    public const int SmallBytes = 4096;

    private const int MaximumKept = 2048;

    private readonly Stack<byte[]> _small = new();

    /// <summary>Lends a buffer.</summary>
    /// <param name="atLeast">Its least length.</param>
    public byte[] Rent(int atLeast)
    {
        if (atLeast > SmallBytes)
            return ArrayPool<byte>.Shared.Rent(atLeast);
        return _small.TryPop(out var buffer) ? buffer : GC.AllocateUninitializedArray<byte>(SmallBytes);
    }

    /// <summary>Takes a buffer back.</summary>
    /// <param name="buffer">One that was lent here.</param>
    public void Return(byte[] buffer)
    {
        if (buffer.Length > SmallBytes)
            ArrayPool<byte>.Shared.Return(buffer);
        else if (_small.Count < MaximumKept)
            _small.Push(buffer);
    }
}
