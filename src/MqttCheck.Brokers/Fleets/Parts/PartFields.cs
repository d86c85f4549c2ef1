using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// Encodes fields of the messages between the parts of a run. Both sides run the same build, so the properties of a
/// type are its format.
/// </summary>
internal static class PartFields
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        IgnoreReadOnlyProperties = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>Writes a value of plain data; null is allowed.</summary>
    public static void WriteValue<T>(this BinaryWriter writer, T value) =>
        writer.Write(JsonSerializer.Serialize(value, s_options));

    /// <summary>Reads the bytes that <see cref="WriteValue"/> wrote.</summary>
    public static T ReadValue<T>(this BinaryReader reader) =>
        JsonSerializer.Deserialize<T>(reader.ReadString(), s_options)!;

    /// <summary>The bytes of the description of a part.</summary>
    /// <param name="description">The description; its endpoints are without TLS and WebSocket.</param>
    public static byte[] Describe<T>(T description) =>
        JsonSerializer.SerializeToUtf8Bytes(description, OptionsWith(_ => ClientKind.Own));

    /// <summary>Reads what <see cref="Describe"/> wrote.</summary>
    /// <param name="description">The bytes.</param>
    /// <param name="client">The kind of client of a name.</param>
    public static T Read<T>(byte[] description, Func<string, ClientKind> client) =>
        JsonSerializer.Deserialize<T>(description, OptionsWith(client))!;

    // Populations and workloads travel as their files have them, kinds of clients by name.
    private static JsonSerializerOptions OptionsWith(Func<string, ClientKind> client) =>
        new(s_options)
        {
            Converters =
            {
                new PartConverter<ClientKind>(
                    (json, kind) => json.WriteStringValue(kind.Name),
                    json => client(json.GetString()!)
                ),
                new PartConverter<WireEndpoint>(
                    (json, endpoint) => json.WriteStringValue(endpoint.Address.ToString()),
                    json => new(IPEndPoint.Parse(json.GetString()!))
                ),
                new PartConverter<Population>(
                    ProfileFile.Write,
                    json => ProfileFile.Parse(Encoding.UTF8.GetBytes(json.GetRawText()), "population of a part")
                ),
                new PartConverter<Workload>(
                    WorkloadFormat.Kind.Write,
                    json => WorkloadFile.Parse(Encoding.UTF8.GetBytes(json.GetRawText()), "workload of a part")
                ),
            },
        };
}
