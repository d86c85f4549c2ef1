using System.Text;
using System.Text.Json;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Encodes fields that are common to the messages between the parts of a run.</summary>
internal static class PartFields
{
    /// <summary>Writes credentials, or that there are none.</summary>
    public static void WriteCredentials(this BinaryWriter writer, Credentials? credentials)
    {
        writer.Write(credentials is not null);
        writer.Write(credentials?.UserName ?? "");
        writer.Write(credentials?.Password ?? "");
    }

    /// <summary>Reads the bytes that <see cref="WriteCredentials"/> wrote.</summary>
    public static Credentials? ReadCredentials(this BinaryReader reader)
    {
        var isGiven = reader.ReadBoolean();
        var (user, password) = (reader.ReadString(), reader.ReadString());
        return isGiven ? new(user, password) : null;
    }

    /// <summary>Writes a text, or that there is none.</summary>
    public static void WriteOptional(this BinaryWriter writer, string? text)
    {
        writer.Write(text is not null);
        writer.Write(text ?? "");
    }

    /// <summary>Reads the bytes that <see cref="WriteOptional"/> wrote.</summary>
    public static string? ReadOptional(this BinaryReader reader)
    {
        var isGiven = reader.ReadBoolean();
        var text = reader.ReadString();
        return isGiven ? text : null;
    }

    /// <summary>Writes texts and how many there are.</summary>
    public static void WriteTexts(this BinaryWriter writer, IReadOnlyList<string> texts)
    {
        writer.Write(texts.Count);
        foreach (var text in texts)
            writer.Write(text);
    }

    /// <summary>Reads the bytes that <see cref="WriteTexts"/> wrote.</summary>
    public static IReadOnlyList<string> ReadTexts(this BinaryReader reader) =>
        [.. Enumerable.Range(0, reader.ReadInt32()).Select(_ => reader.ReadString())];

    /// <summary>Writes JSON as a text.</summary>
    /// <param name="writer">The writer of the bytes.</param>
    /// <param name="write">Writes the JSON.</param>
    public static void WriteJson(this BinaryWriter writer, Action<Utf8JsonWriter> write)
    {
        using var json = new MemoryStream();
        using (var text = new Utf8JsonWriter(json))
            write(text);
        writer.Write(Encoding.UTF8.GetString(json.ToArray()));
    }
}
