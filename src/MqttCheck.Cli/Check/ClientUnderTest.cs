using MqttCheck.App.Check;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Watching;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary><c>mqttcheck check --role broker</c>: client program to findings.</summary>
internal sealed class ClientUnderTest(Screen screen, Interruption interruption)
{
    private const int DefaultRepetitions = 5;

    /// <summary>The request for a program.</summary>
    /// <param name="program">The value of <c>--exec</c>, or null.</param>
    /// <exception cref="InputException">There is no program, or no place for the port in it.</exception>
    public static ClientCheckRequest Request(
        string? program,
        string commandLine,
        ulong seed,
        TimeSpan budget,
        bool withMalformed,
        (IEnumerable<string> Only, IEnumerable<string> Skip) statements
    )
    {
        if (program is null)
            throw new InputException(
                "--role broker: given without a client; allowed: with --exec \"COMMAND "
                    + $"{BrokerSpecification.PortPlaceholder}\"."
            );
        return new()
        {
            Program = program,
            Words = BrokerSpecification.Parse("exec:" + program).Command,
            RepeatOf = (script, times) => RepeatCommand(program, script, times),
            CommandLine = commandLine,
            Seed = seed,
            Budget = budget,
            WithMalformed = withMalformed,
            Only = Find(statements.Only, "--only"),
            Skip = Find(statements.Skip, "--skip"),
        };
    }

    /// <summary>Plays a script several times, and prints it.</summary>
    public async Task<Conclusion> ReplayAsync(ClientCheckRequest request, string text, string where, int times)
    {
        var answer = await new ClientCheckStage(interruption.At(screen), request).ReplayAsync(text, where, times);
        var shown = answer.Shown;
        screen.Lines(ClientCheckDescription.Transcript(shown, null));
        screen.Line();
        foreach (var key in answer.Deviations)
        {
            var first = key.First();
            screen.Line(
                $"{first.Statement.Id(shown.Version ?? Protocol.ProtocolVersion.V311)} "
                    + $"({CheckDescription.Name(first.Statement.Class)}) "
                    + Invariant($"{answer.Hits(key.Key)} of {answer.Runs.Count}: {first.Explanation}")
            );
        }
        if (answer.Deviations.Count == 0)
            screen.Line(Invariant($"no deviation in {answer.Runs.Count} repetitions"));
        if (answer.Runs.Any(run => !run.HasConnected))
            screen.Warn($"The program did not connect. {shown.Output}");
        return interruption.End(screen, answer.Conclusion);
    }

    /// <summary>Explores, prints and writes what was found.</summary>
    /// <param name="format">The format to print, or null for text.</param>
    public async Task<Conclusion> ExploreAsync(
        ClientCheckRequest request,
        string output,
        string? summary,
        ReportFormat? format
    )
    {
        var answer = await new ClientCheckStage(interruption.At(screen), request).ExploreAsync();
        CheckFile.Write(output, answer.Document);
        if (summary is not null)
            AtomicFile.Write(summary, CheckSummary.Of(answer.Document));
        if (format is { } printed)
            FindingsReport.Output(answer.Document, screen.Time.GetUtcNow()).Print(screen, printed);
        else
            ClientCheckText.Print(screen, answer.Document, output);
        if (answer.Report.NeverConnected is { } printedLines)
            screen.Warn($"The program did not connect. {printedLines}");
        return interruption.End(screen, answer.Conclusion);
    }

    private static string RepeatCommand(string program, string script, int times) =>
        $"mqttcheck check --role broker --exec {Repeat.Quoted(program)} --steps {Repeat.Quoted(script)}"
        + (times > DefaultRepetitions ? Invariant($" --times {times}") : "");

    private static List<Statement> Find(IEnumerable<string> texts, string where) =>
        [
            .. texts
                .SelectMany(text => text.Split(','))
                .SelectMany(text => Statements.Find(text, where, ClientStatements.All)),
        ];
}
