using System.Text.Json;

namespace MqttCheck.Cli.Stages;

/// <summary>Reads the JSON files of results.</summary>
internal static class ResultFile
{
    /// <summary>Reads a file.</summary>
    /// <typeparam name="T">What it holds.</typeparam>
    /// <param name="path">The path.</param>
    /// <param name="what">What the file is called in messages.</param>
    /// <param name="format">The name of the format that it must have.</param>
    /// <param name="formatOf">The name that it has.</param>
    /// <param name="options">How it was written.</param>
    /// <param name="allowed">What is allowed, in words.</param>
    /// <exception cref="InputException">The file is missing, malformed or of another format.</exception>
    public static T Read<T>(string path, string what, string format, Func<T, string> formatOf, JsonSerializerOptions options, string allowed)
        where T : class
    {
        try
        {
            var document = JsonSerializer.Deserialize<T>(File.ReadAllBytes(path), options);
            return document is not null && formatOf(document) == format ? document
                : throw new InputException($"{what} \"{path}\": format {(document is null ? "none" : formatOf(document))} given; allowed: {format}, {allowed}");
        }
        catch (JsonException exception)
        {
            throw new InputException($"{what} \"{path}\", line {exception.LineNumber + 1}, key {exception.Path}: {exception.Message}; allowed: {allowed}", exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"{what} \"{path}\": {exception.Message}; allowed: the path of {allowed}", exception);
        }
    }
}
