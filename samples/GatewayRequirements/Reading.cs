using System.Text.Json;

namespace GatewayRequirements;

/// <summary>What a sensor measured.</summary>
public sealed record Reading(string Sensor, double Celsius)
{
    /// <summary>The payload of a message.</summary>
    public byte[] ToPayload() => JsonSerializer.SerializeToUtf8Bytes(this);

    /// <summary>Reads a payload; null where it is none.</summary>
    public static Reading? FromPayload(ReadOnlySpan<byte> payload)
    {
        try
        {
            return JsonSerializer.Deserialize<Reading>(payload);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
