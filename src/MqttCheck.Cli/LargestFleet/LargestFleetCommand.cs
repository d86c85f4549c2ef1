using System.CommandLine;
using System.Globalization;
using MqttCheck.Cli.Estimate;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency.Files;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Cli.LargestFleet;

/// <summary><c>mqttcheck largest-fleet</c>: for how many clients a property still holds.</summary>
internal static class LargestFleetCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var property = EstimateCommand.Property();
        var model = new Option<FileInfo>("--model", "-m")
        {
            HelpName = "FILE",
            Description = "The model file that 'learn' wrote.",
            Required = true,
        };
        var profiles = CommonOptions.Profiles();
        var from = Count("--from", 1, "The smallest number of clients considered. Default 1.");
        var to = Count("--to", 1000, "The largest number of clients considered. Default 1000.");
        var error = EstimateCommand.Error("Probability that any step of the search is wrong. Default .01.");
        var replications = new Option<int>("--replications")
        {
            HelpName = "N",
            Description =
                "The most simulated setups for one number of clients; where they do not decide, the answer is a gap. Default 2000.",
            DefaultValueFactory = _ => 2000,
            CustomParser = Values.Integer(1, 10_000_000),
        };
        var seed = CommonOptions.Seed();
        var command = new Command(
            "largest-fleet",
            "Finds the largest number of clients for which a property such as 'P>=0.95[ G<=10msg latency < 50ms ]' holds, by simulation."
        )
        {
            property,
            model,
            profiles,
            from,
            to,
            error,
            replications,
            seed,
        };
        command.SetAction(
            (parse, _) =>
            {
                var asked = TraceProperty.Parse(parse.GetValue(property)!);
                var learned = LatencyModelFile.Read(parse.GetValue(model)!.ToString());
                var options = new PropertyOptions
                {
                    Seed = parse.GetValue(seed),
                    Error = parse.GetValue(error),
                    LargestReplications = parse.GetValue(replications),
                };
                var code = ExitCode.Success;
                foreach (var population in CommonOptions.Read(parse.GetValue(profiles)!))
                {
                    foreach (var note in PropertySense.Notes(asked, population))
                        screen.Line($"Note: {note}");
                    var limit = FleetLimitSearch.Find(
                        asked,
                        learned.Model,
                        population,
                        parse.GetValue(from),
                        parse.GetValue(to),
                        options,
                        test => screen.Note(Describe(test)),
                        interruption.Orderly
                    );
                    foreach (var note in learned.Extrapolations(population, limit.Holds ?? parse.GetValue(from)))
                        screen.Line($"Note: {note}");
                    screen.Line(
                        $"{asked}  {population.Name}: {Describe(limit, parse.GetValue(from), parse.GetValue(to))}"
                    );
                    screen.Line(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"  {limit.Tests.Count} tests, {limit.Tests.Sum(test => test.Replications)} simulated setups; all of it is right with probability {1 - limit.Error}, if more clients are never faster."
                        )
                    );
                    if (!limit.IsExact && limit.Holds != parse.GetValue(to))
                        code = ExitCode.Withheld;
                }
                return Task.FromResult(code);
            }
        );
        return command;
    }

    private static Option<int> Count(string name, int value, string description) =>
        new(name)
        {
            HelpName = "N",
            Description = description,
            DefaultValueFactory = _ => value,
            CustomParser = Values.Integer(1, 1_000_000),
        };

    private static string Describe(FleetLimitTest test) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{test.Clients} clients: {(test.Holds switch { true => "holds", false => "does not hold", null => "undecided" })}, {Estimate(test)}, {test.Replications} replications"
        );

    private static string Estimate(FleetLimitTest test) =>
        double.IsNaN(test.Estimate)
            ? "says nothing about any trace"
            : string.Create(CultureInfo.InvariantCulture, $"estimate {test.Estimate:0.0000}");

    private static string Describe(FleetLimit limit, int from, int to) =>
        (limit.Holds, limit.Fails) switch
        {
            ({ } holds, { } fails) when fails == holds + 1 => string.Create(
                CultureInfo.InvariantCulture,
                $"holds for at most {holds} clients"
            ),
            ({ } holds, { } fails) => string.Create(
                CultureInfo.InvariantCulture,
                $"holds for {holds} clients and not for {fails}; between them it lies too near the number asked for"
            ),
            ({ } holds, null) when holds == to => string.Create(
                CultureInfo.InvariantCulture,
                $"holds for {to} clients, the largest number considered"
            ),
            ({ } holds, null) => string.Create(
                CultureInfo.InvariantCulture,
                $"holds for {holds} clients; up to {to} it lies too near the number asked for"
            ),
            (null, { } fails) when fails == from => string.Create(
                CultureInfo.InvariantCulture,
                $"does not hold for {from} clients, the smallest number considered"
            ),
            (null, { } fails) => string.Create(
                CultureInfo.InvariantCulture,
                $"does not hold for {fails} clients; from {from} on it lies too near the number asked for"
            ),
            _ => "undecided",
        };
}
