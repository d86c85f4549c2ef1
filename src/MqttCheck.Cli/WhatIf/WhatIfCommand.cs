using System.CommandLine;
using System.Net;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Serve;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.WhatIf;

/// <summary><c>mqttcheck serve</c>: the what-if page.</summary>
internal sealed class WhatIfCommand(Screen screen, Interruption interruption)
{
    private const string ModelFolder = "models";

    private readonly Option<FileInfo[]> _models = new("--model", "-m")
    {
        HelpName = "FILE",
        Description = "A model file that 'learn' wrote. May be given several times. Default: all models in models/.",
        DefaultValueFactory = _ => [],
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<int> _port = new("--port")
    {
        HelpName = "N",
        Description = "Port; 0 takes a free one. Default 0.",
        DefaultValueFactory = _ => 0,
        CustomParser = Values.Integer(0, 65535),
    };

    private readonly Option<string?> _listen = new("--listen")
    {
        HelpName = "IP",
        Description =
            "Address to listen on. Default 127.0.0.1: this machine only. Another one also needs MQTTCHECK_PAGE_TOKEN, "
            + "a secret of 16 characters or more.",
    };

    private readonly Option<DirectoryInfo> _output = new("--out", "-o")
    {
        HelpName = "DIR",
        Description = "Directory for profiles, predictions, verdicts, logs, models and reports that the page makes.",
        DefaultValueFactory = _ => new DirectoryInfo("."),
    };

    private readonly TargetBrokerOptions _broker = new();
    private readonly WorkersOption _workers = new();

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "serve",
            "Serves the what-if page until Ctrl-C: predictions while sliders move, compared, and verified on a broker."
        )
        {
            _models,
            _port,
            _listen,
            _output,
        };
        _broker.AddTo(command);
        _workers.AddTo(command);
        command.Concludes(
            (parse, _) => _workers.RunAsync(parse, screen, interruption, runner => RunAsync(parse, runner))
        );
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse, IShardRunner? runner)
    {
        var (address, token) = Listen(parse);
        var output = parse.GetValue(_output)!.ToString();
        OutputPath.RequireWritableDirectory(output, _output.Name);
        var models = Models(parse);
        // Wrong values are said before anybody opens the page.
        var choice = _broker.Choose(parse, CommonOptions.DefaultSeed);
        await using var server = await WhatIfServer.StartAsync(
            new()
            {
                Listen = new(address, parse.GetValue(_port)),
                Token = token,
                Models = models,
                Output = output,
                Runner = runner,
                ToolVersion = Tool.Version,
                Live = new LiveBroker(
                    choice.Specification.Name,
                    seed => _broker.Choose(parse, seed),
                    BrokerArguments(parse),
                    output,
                    screen.Time
                ),
            },
            interruption.Orderly
        );
        screen.Line($"what-if page: {server.Address}");
        screen.Line($"models: {string.Join(", ", models.All.Select(model => model.Name))}");
        screen.Serve();
        screen.Note("Ctrl-C ends it.");
        await ServedBroker.Stopped(child: false, interruption.Orderly);
        screen.Note("stopped");
        return Conclusion.Success;
    }

    private (IPAddress Address, string? Token) Listen(ParseResult parse)
    {
        const string variable = "MQTTCHECK_PAGE_TOKEN";
        const int shortest = 16;
        var token = Environment.GetEnvironmentVariable(variable);
        if (token is not null && (token.Length < shortest || !token.All(c => char.IsAsciiLetterOrDigit(c) || c is '-')))
            throw new InputException(
                Invariant($"{variable}: {token.Length} characters given; allowed: {shortest} or more letters, ")
                    + "digits and '-'."
            );
        if (parse.GetValue(_listen) is not { } text)
            return (IPAddress.Loopback, token);
        if (
            !IPAddress.TryParse(text, out var address)
            || address.Equals(IPAddress.Any)
            || address.Equals(IPAddress.IPv6Any)
        )
            throw new InputException(
                $"{_listen.Name}: '{text}' given; allowed: one IP address of this machine, since the page is only "
                    + "answered under the address that it was opened with."
            );
        if (!IPAddress.IsLoopback(address) && token is null)
            throw new InputException(
                $"{_listen.Name}: {address} can be reached by other machines; allowed: with a secret in {variable}."
            );
        return (address, token);
    }

    private ModelShelf Models(ParseResult parse)
    {
        var shelf = new ModelShelf();
        var given = parse.GetValue(_models)!.Select(file => file.ToString()).ToArray();
        foreach (var file in given)
            shelf.Add(file);
        if (given.Length > 0)
            return shelf;
        foreach (var file in Found())
        {
            try
            {
                shelf.Add(file);
            }
            catch (InputException other)
            {
                screen.Warn($"{file} is passed over: {other.Message.Split('\n')[0]}");
            }
        }
        return shelf.All.Count > 0
            ? shelf
            : throw new InputException(
                $"{_models.Name}: no model in {ModelFolder}/; allowed: the file of a model. 'mqttcheck run' makes one "
                    + "in three minutes, and 'mqttcheck learn' makes one from a log."
            );
    }

    private static IEnumerable<string> Found() =>
        Directory.Exists(ModelFolder) ? Directory.GetFiles(ModelFolder, "*.json").Order(StringComparer.Ordinal) : [];

    // The page's commands reach the same broker: with the options that were given here, credentials included.
    private IReadOnlyList<string> BrokerArguments(ParseResult parse)
    {
        var command = new Command("options");
        _broker.AddTo(command);
        return
        [
            .. command
                .Options.Where(option => parse.GetResult(option) is { Implicit: false })
                .SelectMany(option =>
                    parse.GetResult(option)!.Tokens.Select(value => value.Value).Prepend(option.Name)
                ),
        ];
    }
}
