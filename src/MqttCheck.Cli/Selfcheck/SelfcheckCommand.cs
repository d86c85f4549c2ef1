using System.CommandLine;
using MqttCheck.App.Clusters.Selfcheck;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Selfcheck;

/// <summary><c>mqttcheck selfcheck</c>: the tool's own error.</summary>
internal static class SelfcheckCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var broker = new Option<string?>("--broker", "-b")
        {
            HelpName = "BROKER",
            Description =
                "Broker of the comparison with the wire: embedded or "
                + "an installed one, tuned or not; over plain TCP, on this machine. Default embedded.",
        };
        var clients = new Option<int>("--clients", "-n")
        {
            HelpName = "N",
            Description = "How many clients of up1 the comparison with the wire has. Default 100.",
            DefaultValueFactory = _ => 100,
            CustomParser = Values.Integer(1, 20_000),
        };
        var time = new Option<TimeSpan>("--for")
        {
            HelpName = "TIME",
            Description = "How long the comparison with the wire takes. Default 10s.",
            DefaultValueFactory = _ => TimeSpan.FromSeconds(10),
            CustomParser = Values.Duration,
        };
        var audit = new Option<bool>("--audit")
        {
            Description =
                "Have the kernel stamp requests as well as answers (Linux): finer times, and more work per message.",
        };
        var seedOption = CommonOptions.Seed();
        var command = new Command(
            "selfcheck",
            "Measures the tool's own error: against known delays, and against a packet capture where that is allowed."
        )
        {
            broker,
            clients,
            time,
            audit,
            seedOption,
        };
        command.Concludes(
            async (parse, _) =>
            {
                var seed = parse.GetValue(seedOption);
                var request = new SelfcheckRequest(
                    Specification(parse.GetValue(broker)),
                    parse.GetValue(clients),
                    parse.GetValue(time),
                    parse.GetValue(audit),
                    seed,
                    delays => OwnProgram.Brokers(delays, seed)
                );
                var rows = await new SelfcheckStage(interruption.At(screen), request).RunAsync();
                Print(screen, rows);
                return interruption.End(screen, Conclusions.Of(rows.All(row => row.Passes)));
            }
        );
        return command;
    }

    private static BrokerSpecification? Specification(string? name)
    {
        var specification = name is not null ? BrokerSpecification.Parse(name) : null;
        if (specification is not null && specification.Transport != BrokerTransport.Tcp)
            throw new InputException(
                $"--broker: {specification.Name} given; allowed: a broker "
                    + "over plain TCP, whose packets can be read in a capture."
            );
        return specification;
    }

    private static void Print(Screen screen, IReadOnlyList<SelfcheckRow> rows)
    {
        var table = new TextTable("check", "measured", "truth", "error", "bound", "") { OnlyInJson = ["unit"] };
        foreach (var row in rows)
        {
            table.Add(
                row.What,
                Number(row.Measured, row.Unit),
                Number(row.Truth, row.Unit),
                Number(row.Truth is null ? null : row.Error, row.Unit),
                Number(row.Bound, row.Unit),
                row.Passes ? "pass" : "FAIL",
                row.Unit
            );
        }
        table.Print(screen);
        var failed = rows.Count(row => !row.Passes);
        screen.Line();
        screen.Line(
            failed == 0
                ? $"All {rows.Count} checks pass."
                : $"{failed} of {rows.Count} checks fail: on this machine, "
                    + "as busy as it is, the tool errs by more than it promises."
        );
    }

    private static TableCell Number(double? value, string unit) =>
        TableCell.Of(value, value is null ? "" : Invariant($"{value:0.###} {unit}"));
}
