using System.CommandLine;
using System.Net;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.Cli.WhatIf;

/// <summary><c>mqttcheck serve</c>: the what-if page.</summary>
internal sealed class WhatIfCommand
{
    private const string ModelFolder = "models";

    private readonly Screen _screen;
    private readonly Interruption _interruption;

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

    private WhatIfCommand(Screen screen, Interruption interruption) =>
        (_screen, _interruption) = (screen, interruption);

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var serve = new WhatIfCommand(screen, interruption);
        var command = new Command(
            "serve",
            "Serves the what-if page until Ctrl-C: predictions while sliders move, compared, and verified on a broker."
        )
        {
            serve._models,
            serve._port,
            serve._listen,
            serve._output,
        };
        serve._broker.AddTo(command);
        serve._workers.AddTo(command);
        command.SetAction(
            (parse, _) => serve._workers.RunAsync(parse, screen, interruption, runner => serve.Run(parse, runner))
        );
        return command;
    }

    // The runner lives as long as this call, so it may not return before the server has ended.
    private int Run(ParseResult parse, IShardRunner? runner) => RunAsync(parse, runner).GetAwaiter().GetResult();

    private async Task<int> RunAsync(ParseResult parse, IShardRunner? runner)
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
                    BrokerArguments(parse),
                    output,
                    _screen.Time,
                    _interruption
                ),
            },
            _interruption.Orderly
        );
        _screen.Line($"what-if page: {server.Address}");
        _screen.Line($"models: {string.Join(", ", models.All.Select(model => model.Name))}");
        _screen.Serve();
        _screen.Note("Ctrl-C ends it.");
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = _interruption.Orderly.Register(ended.SetResult);
        await ended.Task;
        _screen.Note("stopped");
        return ExitCode.Success;
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
                _screen.Warn($"{file} is passed over: {other.Message.Split('\n')[0]}");
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
