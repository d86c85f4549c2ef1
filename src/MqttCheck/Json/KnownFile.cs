using System.Text;
using System.Text.Json;

namespace MqttCheck.Json;

/// <summary>
/// Tells the files of this program apart by how they begin, so that a message can say what was given.
/// </summary>
internal static class KnownFile
{
    // This is longer than the first keys of any file.
    private const int LookedAt = 4096;

    private static readonly Dictionary<string, string> s_formats = new(StringComparer.Ordinal)
    {
        ["mqttcheck-prediction"] = "a prediction of 'mqttcheck predict'",
        ["mqttcheck-verdicts"] = "a verdict file of 'mqttcheck verify'",
        ["mqttcheck-property-verdict"] = "a verdict on a property, of 'mqttcheck verify --property'",
        ["mqttcheck-baseline"] = "a baseline of 'mqttcheck run --save-baseline'",
        ["mqttcheck-calibration"] = "a calibration of 'mqttcheck calibrate'",
    };

    /// <summary>Names the kind of a file, in words.</summary>
    /// <param name="content">The file, or its beginning.</param>
    /// <returns>For example "a prediction of 'mqttcheck predict'"; null where nothing is known of it.</returns>
    public static string? Describe(ReadOnlySpan<byte> content)
    {
        var start = Encoding
            .UTF8.GetString(content[..Math.Min(content.Length, LookedAt)])
            .TrimStart('\uFEFF', ' ', '\n');
        if (start.StartsWith("message,active_messages,", StringComparison.Ordinal))
            return "an exchange log of 'mqttcheck explore'";
        if (start.StartsWith("publisher,number,phase,", StringComparison.Ordinal))
            return "a log of messages, of 'mqttcheck bench --log'";
        return start.StartsWith('{') ? OfKeys(Keys(Encoding.UTF8.GetBytes(start))) : null;
    }

    /// <summary>Refuses a file that is another one of this program than is wanted.</summary>
    /// <param name="content">The file, or its beginning.</param>
    /// <param name="what">The use of the file, in one word.</param>
    /// <param name="path">Its path.</param>
    /// <param name="wanted">The text that <see cref="Describe"/> gives for the right file.</param>
    /// <exception cref="InputException">It is another one; the message says which.</exception>
    public static void Require(ReadOnlySpan<byte> content, string what, string path, string wanted)
    {
        if (Describe(content) is { } given && given != wanted)
            throw new InputException($"{what} \"{path}\": this is {given}; allowed: {wanted}");
    }

    private static string? OfKeys(Dictionary<string, string> keys) =>
        keys.TryGetValue("format", out var format) ? s_formats.GetValueOrDefault(format)
        : keys.ContainsKey("schema") && keys.ContainsKey("kind") ? "a model of 'mqttcheck learn'"
        : keys.ContainsKey("groups") ? "a population"
        : keys.ContainsKey("weights") || keys.ContainsKey("waitMilliseconds") ? "a usage profile"
        : null;

    // The keys of the outermost object with their texts, as far as the beginning of the file goes.
    private static Dictionary<string, string> Keys(ReadOnlySpan<byte> start)
    {
        var keys = new Dictionary<string, string>(StringComparer.Ordinal);
        var reader = new Utf8JsonReader(start, isFinalBlock: false, default);
        var key = "";
        try
        {
            while (reader.Read())
            {
                if (reader.CurrentDepth != 1)
                    continue;
                if (reader.TokenType == JsonTokenType.PropertyName)
                    keys[key = reader.GetString()!] = "";
                else if (reader.TokenType == JsonTokenType.String)
                    keys[key] = reader.GetString()!;
            }
        }
        catch (Exception malformed) when (malformed is JsonException or InvalidOperationException)
        {
            // The keys read so far are enough to recognise the file.
        }
        return keys;
    }
}
