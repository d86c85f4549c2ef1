using System.Text.Json;
using MqttCheck.Json;

namespace MqttCheck.App.Runs;

/// <summary>Reads the JSON files of results.</summary>
internal static class ResultFile
{
    /// <summary>Reads a file.</summary>
    /// <param name="what">The name of the file in messages.</param>
    /// <param name="format">The name of the format that it must have, and the version where that matters.</param>
    /// <param name="earlier">The names and versions of formats that are read too.</param>
    /// <exception cref="InputException">The file is missing, malformed or of another format.</exception>
    public static T Read<T>(
        string path,
        string what,
        string format,
        JsonSerializerOptions options,
        string allowed,
        params ReadOnlySpan<string> earlier
    )
        where T : class
    {
        try
        {
            var bytes = InputFile.ReadAllBytes(what, path, $"the path of {allowed}");
            RequireFormat(bytes, path, what, format, allowed, earlier);
            return JsonSerializer.Deserialize<T>(bytes, options)!;
        }
        catch (JsonException exception)
        {
            throw new InputException(
                $"{what} \"{path}\", line "
                    + $"{exception.LineNumber + 1}{(exception.Path is { Length: > 0 } key ? ", key " + key : "")}: "
                    + $"{exception.Message.Split(" LineNumber:")[0]}; allowed: {allowed}",
                exception
            );
        }
    }

    /// <summary>
    /// Refuses a JSON file that says that it is something else; what is missing in the right one is for its reader to
    /// find.
    /// </summary>
    /// <param name="what">The name of the file in messages.</param>
    /// <param name="format">
    /// The name of the format that it must have, and the version where that matters, after a space.
    /// </param>
    /// <param name="earlier">The names and versions of formats that are read too.</param>
    /// <exception cref="InputException">The file is of another format.</exception>
    /// <exception cref="JsonException">The file is no JSON.</exception>
    public static void RequireFormat(
        byte[] bytes,
        string path,
        string what,
        string format,
        string allowed,
        params ReadOnlySpan<string> earlier
    )
    {
        if (KnownFile.Describe(bytes) is { } known && !known.Contains(what.TrimEnd('s'), StringComparison.Ordinal))
            throw new InputException($"{what} \"{path}\": this is {known}; allowed: {format}, {allowed}");
        using var document = JsonDocument.Parse(bytes);
        string Value(string key) =>
            document.RootElement.ValueKind == JsonValueKind.Object
            && document.RootElement.TryGetProperty(key, out var value)
                ? value.ToString()
                : "";
        var given = format.Contains(' ', StringComparison.Ordinal)
            ? $"{Value("format")} {Value("version")}".Trim()
            : Value("format");
        if (given != format && !earlier.Contains(given))
            throw new InputException(
                $"{what} \"{path}\": format {(given.Length == 0 ? "none" : given)} given; allowed: {format}, {allowed}"
            );
    }
}
