using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.App.Runs;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Survives;

/// <summary>Writes <c>survives.json</c>: the table with its figures.</summary>
internal static class SurvivesFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

    /// <summary>The file as text.</summary>
    public static string Text(SurvivalRequest request, SurvivalAnswer answer, Func<SurvivalCell, string> repeat)
    {
        var (table, plan) = (answer.Table, answer.Plan);
        return JsonSerializer.Serialize(
                new
                {
                    Format = "mqttcheck-survives",
                    Version = 1,
                    ToolVersion = Tool.Version,
                    Cluster = request.Topology.Name,
                    System = request.Topology.System.Name(),
                    answer.Broker,
                    Conclusion = answer.Conclusion == Conclusion.Success ? "confirmed" : answer.Conclusion.ToString(),
                    Answer = SurvivesText.Answer(answer),
                    plan.Error,
                    CellError = plan.CellError,
                    answer.Runs,
                    PlannedSeconds = answer.Planned.TotalSeconds,
                    TakenSeconds = answer.Taken.TotalSeconds,
                    Rows = table.Rows.Select(row => new
                    {
                        row.Name,
                        row.Title,
                        Fault = row.FaultOf(request.Topology, request.Load),
                        Cells = table.Cells[row].Select(cell => Cell(cell, plan, repeat)),
                    }),
                    request.Seed,
                    request.Repeat,
                    Interrupted = answer.IsInterrupted,
                },
                s_options
            ) + "\n";
    }

    /// <summary>Writes the file; an earlier one is replaced whole.</summary>
    public static void Write(
        string path,
        SurvivalRequest request,
        SurvivalAnswer answer,
        Func<SurvivalCell, string> repeat
    ) => AtomicFile.Write(path, Text(request, answer, repeat));

    private static object Cell(SurvivalCell cell, SurvivalPlan plan, Func<SurvivalCell, string> repeat) =>
        new
        {
            Column = cell.Column.Name,
            cell.Verdict,
            cell.Runs,
            RunsWithLoss = cell.Losses,
            AtMost = cell.Verdict == SurvivalVerdict.Survives ? plan.AtMost(cell.Runs) : (double?)null,
            cell.First?.Lost,
            cell.First?.Of,
            cell.First?.Forgotten,
            cell.First?.Repeated,
            cell.First?.Example,
            Repeat = cell.Verdict == SurvivalVerdict.Lost ? repeat(cell) : null,
            Words = SurvivesText.Words(cell, plan),
        };
}
