using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace MqttCheck.Cli.Stages;

/// <summary>Writes the results of a check.</summary>
public static class CheckFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Writes the findings (JSON); an earlier file of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    /// <param name="document">The findings.</param>
    public static void Write(string path, CheckDocument document) => Write(path, JsonSerializer.SerializeToUtf8Bytes(document, s_options));

    /// <summary>Writes the summary (Markdown).</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    /// <param name="document">The findings.</param>
    public static void WriteSummary(string path, CheckDocument document) => Write(path, Encoding.UTF8.GetBytes(Summary(document)));

    private static void Write(string path, byte[] bytes)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
        var temporary = path + ".tmp";
        File.WriteAllBytes(temporary, bytes);
        File.Move(temporary, path, overwrite: true);
    }

    private static string Summary(CheckDocument document)
    {
        var text = new StringBuilder();
        var culture = CultureInfo.InvariantCulture;
        text.Append(culture, $"# {document.Broker} {document.BrokerVersion}\n\n");
        text.Append(culture, $"MQTT {string.Join(" and ", document.Protocols)}, seed {document.Seed}: {document.Scenarios} scenarios, {document.Commands} commands, ");
        text.Append(culture, $"{document.ExploringSeconds:0} s of exploration; {document.Findings.Count} findings.\n\n");
        foreach (var finding in document.Findings)
        {
            text.Append(culture, $"## {finding.Statement} ({finding.Class}): {finding.Circumstances}\n\n");
            text.Append(culture, $"Expected: {finding.Expected} Observed: {finding.Observed}. MQTT {finding.Protocol}, {finding.Hits} of {finding.Replays} repetitions.\n\n");
            if (finding.ExplainedBy is { } cause) text.Append(culture, $"May follow from: {cause}\n\n");
            text.Append("```\n").AppendJoin('\n', finding.Scenario).Append("\n\n").AppendJoin('\n', finding.Transcript).Append("\n```\n\n");
        }
        text.Append("## Statements\n\n| statement | 3.1.1 | 5 | class | judged | findings | remark |\n|---|---|---|---|---|---|---|\n");
        foreach (var line in document.Coverage)
            text.Append(culture, $"| {line.Name} | {line.In311} | {line.In5} | {line.Class} | {line.Judged} | {line.Findings} | {line.Remark} |\n");
        return text.ToString();
    }
}
