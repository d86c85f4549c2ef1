using System.Text;

namespace MqttCheck.Protocol;

/// <summary>An immutable byte string that is compared by its content. The default value is empty.</summary>
public readonly struct Bytes : IEquatable<Bytes>
{
    /// <summary>Wraps memory without copying it; the caller must not change it afterwards.</summary>
    /// <param name="memory">The bytes.</param>
    public Bytes(ReadOnlyMemory<byte> memory) => Memory = memory;

    /// <summary>The empty byte string.</summary>
    public static Bytes Empty => default;

    /// <summary>The bytes as memory.</summary>
    public ReadOnlyMemory<byte> Memory { get; }

    /// <summary>The bytes as a span.</summary>
    public ReadOnlySpan<byte> Span => Memory.Span;

    /// <summary>Number of bytes.</summary>
    public int Length => Memory.Length;

    /// <summary>True if there are no bytes.</summary>
    public bool IsEmpty => Memory.IsEmpty;

    /// <summary>A copy of a span.</summary>
    /// <param name="span">The bytes.</param>
    public static Bytes Copy(ReadOnlySpan<byte> span) => span.IsEmpty ? default : new(span.ToArray());

    /// <summary>The UTF-8 form of a text.</summary>
    /// <param name="text">Any text.</param>
    public static Bytes FromText(string text) => new(Encoding.UTF8.GetBytes(text));

    /// <summary>Wraps an array without copying it; the caller must not change it afterwards.</summary>
    /// <param name="array">The bytes.</param>
    public static implicit operator Bytes(byte[] array) => new(array);

    /// <summary>Wraps an array without copying it; the caller must not change it afterwards.</summary>
    /// <param name="array">The bytes.</param>
    public static Bytes FromByteArray(byte[] array) => new(array);

    /// <summary>Equal content.</summary>
    /// <param name="left">One value.</param>
    /// <param name="right">The other value.</param>
    public static bool operator ==(Bytes left, Bytes right) => left.Equals(right);

    /// <summary>Different content.</summary>
    /// <param name="left">One value.</param>
    /// <param name="right">The other value.</param>
    public static bool operator !=(Bytes left, Bytes right) => !left.Equals(right);

    /// <summary>The bytes read as UTF-8; ill-formed sequences become U+FFFD.</summary>
    public string ToText() => Encoding.UTF8.GetString(Span);

    /// <inheritdoc/>
    public bool Equals(Bytes other) => Span.SequenceEqual(other.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Bytes other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.AddBytes(Span);
        return hash.ToHashCode();
    }

    /// <summary>The first 32 bytes in hexadecimal, and the length if there are more.</summary>
    public override string ToString() =>
        Length <= 32 ? Convert.ToHexString(Span) : $"{Convert.ToHexString(Span[..32])}... ({Length} bytes)";
}
