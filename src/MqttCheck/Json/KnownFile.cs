using System.Text;
using System.Text.Json;
using MqttCheck.Text;

namespace MqttCheck.Json;

/// <summary>
/// Tells the files of this program apart by how they begin, so that a message can say what was given.
/// </summary>
internal static class KnownFile
{
    /// <summary>How many bytes are looked at, more than the first keys of any file have.</summary>
    public const int LookedAt = 4096;

    /// <summary>An exchange log, in words.</summary>
    public const string Log = "an exchange log of 'mqttcheck explore'";

    /// <summary>A cluster, in words.</summary>
    public const string Cluster = "a cluster";

    /// <summary>A scenario of a cluster, in words.</summary>
    public const string Scenario = "a scenario of 'mqttcheck cluster'";

    /// <summary>A workload, in words.</summary>
    public const string Workload = "a workload of 'mqttcheck bench'";

    /// <summary>A usage profile, in words.</summary>
    public const string Profile = "a usage profile";

    /// <summary>A population, in words.</summary>
    public const string Population = "a population";

    /// <summary>A network of automata, in words.</summary>
    public const string Jani = "a JANI model";

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
            return Log;
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
    public static void Require(ReadOnlySpan<byte> content, string what, string path, params ReadOnlySpan<string> wanted)
    {
        if (Describe(content) is { } given && !wanted.Contains(given))
            throw new InputException($"{what} \"{path}\": this is {given}; allowed: {string.Join(" or ", wanted)}");
    }

    /// <summary>Refuses a file that is empty or no text in UTF-8, and says what it looks like.</summary>
    /// <param name="content">The file, or its beginning.</param>
    /// <param name="what">The use of the file, in one word.</param>
    /// <param name="path">Its path.</param>
    /// <param name="allowed">The values that are allowed instead.</param>
    /// <exception cref="InputException">It is no text.</exception>
    public static void RequireText(ReadOnlySpan<byte> content, string what, string path, string allowed)
    {
        if (NoText(content[..Math.Min(content.Length, LookedAt)]) is { } given)
            throw new InputException($"{what} \"{Printable.Value(path)}\": {given}; allowed: {allowed}");
    }

    private static string? NoText(ReadOnlySpan<byte> start)
    {
        if (start.IsEmpty || (start.Length < LookedAt && start.Trim(" \t\r\n"u8).IsEmpty))
            return "the file is empty";
        if (start.StartsWith((ReadOnlySpan<byte>)[0x1f, 0x8b]))
            return "this is compressed by gzip; unpack it, or let a log's name end in .gz";
        if (
            start.StartsWith((ReadOnlySpan<byte>)[0xd4, 0xc3, 0xb2, 0xa1])
            || start.StartsWith((ReadOnlySpan<byte>)[0x0a, 0x0d, 0x0d, 0x0a])
        )
            return "this is a capture of packets, of which 'mqttcheck learn' makes a log";
        if (start.StartsWith((ReadOnlySpan<byte>)[0xff, 0xfe]) || start.StartsWith((ReadOnlySpan<byte>)[0xfe, 0xff]))
            return "this is text in UTF-16; save it as UTF-8";
        return start.Contains((byte)0) ? "this is a binary file" : null;
    }

    private static string? OfKeys(Dictionary<string, string> keys) =>
        keys.TryGetValue("format", out var format) ? s_formats.GetValueOrDefault(format)
        : keys.ContainsKey("schema") && keys.ContainsKey("kind") ? "a model of 'mqttcheck learn'"
        : keys.ContainsKey("jani-version") ? Jani
        : keys.ContainsKey("system") || (keys.ContainsKey("nodes") && keys.ContainsKey("links")) ? Cluster
        : keys.ContainsKey("groups") ? Population
        : keys.ContainsKey("weights") || keys.ContainsKey("waitMilliseconds") ? Profile
        : keys.ContainsKey("faults") ? Scenario
        : keys.ContainsKey("publishers") && keys.ContainsKey("subscribers") ? Workload
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
