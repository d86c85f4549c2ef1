using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.App.VerifyProperty;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>The options of <c>verify --property</c>, which takes a property instead of a prediction.</summary>
internal sealed class PropertyVerifyOptions
{
    // These options apply to predictions only.
    private static readonly string[] s_others =
    [
        "--refresh",
        "--verify-clients",
        "--all-thresholds",
        "--test",
        "--accepting-share",
        "--confirm-with",
        "--runs",
    ];

    private readonly Option<string?> _property = new("--property")
    {
        HelpName = "PROPERTY",
        Description =
            "Test a property of the traces of --clients clients of --profile instead of a prediction, such "
            + "as 'P>=0.99[ G latency(publish) < 50ms ]' or 'Q0.95[ max latency ] < 50ms'.",
    };

    private readonly Option<string?> _profile = new("--profile", "-p")
    {
        HelpName = "NAME|FILE",
        Description = "With --property: the usage profile or population. Default up1.",
    };

    private readonly Option<FleetSizes?> _clients = new("--clients", "-n")
    {
        HelpName = "N|GROUP=N+GROUP=N",
        Description =
            "With --property: how many clients; or how many of each group of a population, such as "
            + "sensors=400+dashboards=10. Default 50.",
        CustomParser = CommonOptions.Sizes,
    };

    /// <summary>Adds the options to the command.</summary>
    public void AddTo(Command command, Argument<FileInfo?> prediction)
    {
        command.AddAll(_property, _profile, _clients);
        command.Validators.Add(result =>
        {
            var given = result.GetValue(_property) is not null;
            if (given == result.GetValue(prediction) is not null)
                result.AddError(
                    "verify: "
                        + $"{(given ? "a prediction and --property are given" : "there is nothing to verify")}; "
                        + "allowed: a prediction file, or --property with a property."
                );
            var allowed = given
                ? "with a prediction, not with --property"
                : "with --property; a prediction has its own";
            string[] wrong = given ? s_others : [_profile.Name, _clients.Name];
            foreach (
                var name in wrong.Where(name =>
                    command.Options.FirstOrDefault(option => option.Name == name) is { } option
                    && result.GetResult(option) is { Implicit: false }
                )
            )
                result.AddError($"{name}: given {(given ? "with" : "without")} --property; allowed: {allowed}.");
        });
    }

    /// <summary>Whether a property is to be verified.</summary>
    public bool IsGiven(ParseResult parse) => parse.GetValue(_property) is not null;

    /// <summary>Verifies.</summary>
    /// <param name="output">The verdict file, or null for the default.</param>
    /// <param name="printed">The format to print, or null for text.</param>
    /// <param name="metrics">The file for the numbers of the result, or null for none.</param>
    public async Task<Conclusion> RunAsync(
        Screen screen,
        Interruption interruption,
        ParseResult parse,
        TargetBrokerOptions broker,
        WorkersOption workers,
        ulong seed,
        string? output,
        ReportFormat? printed,
        string? metrics,
        IReadOnlyList<string> arguments
    )
    {
        RequireTextOrJson(printed);
        var (population, clients) = Fleet(parse);
        var property = LiveProperty.Of(TraceProperty.Parse(parse.GetValue(_property)!, "--property"), population);
        var requirement = PropertyVerifyRequest.RequirementOf(
            property,
            parse.GetValue<double?>("--error"),
            parse.GetValue<double?>("--indifference"),
            parse.GetValue<string>("--guarantee") == "any" ? Guarantee.Any : Guarantee.Model,
            parse.GetValue<double?>(WorstRunOption.Name)
        );
        var choice = broker.Choose(parse, seed) with
        {
            Client = ClientOption.Choose(parse.GetValue<string>("--client")),
        };
        var files = RunFiles.Named(".", choice.Specification.Name, screen.Time.GetUtcNow());
        var path = output ?? files.Verdicts;
        var request = new PropertyVerifyRequest(
            choice.Live(CommonOptions.Protocol(parse.GetValue<string>("--mqtt"))),
            property,
            requirement,
            population,
            clients,
            parse.GetValue<TimeSpan?>("--budget") is { } given ? new(given) : null,
            files.VerificationLog
        );
        request.Require();
        OutputPath.RequireWritable(path, "--out");
        workers.Require(parse);
        await using var running = await choice.StartAsync(interruption.Orderly);
        await using var live = await workers.ConnectAsync(parse, screen, interruption);
        request = request with { Live = request.Live with { Fleets = live.Fleets } };
        var made = await PropertyVerifyStage.RunAsync(interruption.At(screen), running, request);
        var verdict = PropertyVerifyText.Of(
            request,
            running.Description,
            made,
            Repeat.CommandLine(arguments, seed, request.MoreTime(made))
        );
        PropertyVerdictFile.Write(path, verdict);
        PropertyMetrics.Of(verdict, screen.Time.GetUtcNow()).Publish(metrics);
        if (printed is null)
            PropertyVerifyText.Print(screen, verdict, path);
        else
            screen.Line(PropertyVerdictFile.Text(verdict));
        return Conclusions.Of(made.Result.Holds, made.Interrupted);
    }

    // One verdict is about one fleet.
    private (Population Population, int Clients) Fleet(ParseResult parse)
    {
        var sizes = parse.GetValue(_clients) ?? FleetSizes.Of(50);
        var fleets = sizes.Of([ProfileFile.Read(parse.GetValue(_profile) ?? "up1")]);
        return fleets is [{ Clients: [var clients] } fleet]
            ? (fleet.Population, clients)
            : throw new InputException(
                "--clients: several fleets given; allowed with --property: one, such as 50 or "
                    + "sensors=400+dashboards=10."
            );
    }

    private static void RequireTextOrJson(ReportFormat? printed)
    {
        if (printed is not null && printed != ReportFormat.Json)
            throw new InputException(
                "--format: a property's verdict is printed as text or json; allowed: json, or none."
            );
    }
}
