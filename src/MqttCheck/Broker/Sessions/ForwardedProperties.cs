using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Broker.Sessions;

/// <summary>
/// The properties of a PUBLISH that subscribers get unchanged and in order (MQTT-3.3.2-4, -15 to -20).
/// </summary>
internal sealed class ForwardedProperties
{
    private byte[] _buffer = new byte[256];

    /// <summary>
    /// Leaves out the expiry interval, which is counted down, and the topic alias, which is a matter of one connection.
    /// </summary>
    /// <param name="properties">The properties as they came, checked before.</param>
    /// <param name="expirySeconds">The expiry interval; null for none.</param>
    /// <returns>The others, valid until the next call.</returns>
    public ReadOnlySpan<byte> Of(ReadOnlySpan<byte> properties, out uint? expirySeconds)
    {
        expirySeconds = null;
        if (properties.IsEmpty)
            return default;
        if (properties.Length > _buffer.Length)
            _buffer = new byte[properties.Length];
        var reader = new PropertyReader(properties);
        var (length, from, keep) = (0, 0, false);
        while (reader.MoveNext())
        {
            if (keep)
                length += Copy(properties[from..reader.Offset], length);
            from = reader.Offset;
            keep = reader.Id is not (PropertyId.MessageExpiryInterval or PropertyId.TopicAlias);
            if (reader.Id == PropertyId.MessageExpiryInterval)
                expirySeconds = reader.Number;
        }
        if (keep)
            length += Copy(properties[from..], length);
        return _buffer.AsSpan(0, length);
    }

    /// <summary>The same properties in reverse order: a mutant.</summary>
    public static byte[] Reversed(ReadOnlySpan<byte> properties)
    {
        var starts = new List<int>();
        var reader = new PropertyReader(properties);
        while (reader.MoveNext())
            starts.Add(reader.Offset);
        var reversed = new List<byte>();
        for (var i = starts.Count - 1; i >= 0; i--)
        {
            var end = i + 1 < starts.Count ? starts[i + 1] : properties.Length;
            reversed.AddRange(properties[starts[i]..end]);
        }
        return [.. reversed];
    }

    private int Copy(ReadOnlySpan<byte> property, int at)
    {
        property.CopyTo(_buffer.AsSpan(at));
        return property.Length;
    }
}
