using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Runs;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Cli.Results;

/// <summary>Reads and writes verdict files (JSON).</summary>
internal static class VerdictFile
{
    /// <summary>The value of <see cref="VerdictDocument.Format"/>.</summary>
    public const string Format = "mqttcheck-verdicts";

    /// <summary>The version of the format that is written. Version 1, without hashes, is read too.</summary>
    public const int Version = 2;

    private static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        IgnoreReadOnlyProperties = true,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    /// <summary>Writes a file; an earlier one of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    public static void Write(string path, VerdictDocument document) =>
        AtomicFile.Write(path, JsonSerializer.SerializeToUtf8Bytes(document, Options));

    /// <summary>Reads a file.</summary>
    /// <exception cref="InputException">The file is missing, malformed or of another format.</exception>
    public static VerdictDocument Read(string path) =>
        ResultFile.Read<VerdictDocument>(
            path,
            "verdicts",
            Invariant($"{Format} {Version}"),
            Options,
            "a file that 'mqttcheck verify' wrote",
            Format + " 1"
        );
}
