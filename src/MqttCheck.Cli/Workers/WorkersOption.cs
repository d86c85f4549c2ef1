using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Shards;

namespace MqttCheck.Cli.Workers;

/// <summary>
/// <c>--workers</c>: where replications are computed, or where the clients are that load a broker. Nothing of Orleans
/// is loaded without it.
/// </summary>
/// <param name="isLive">Whether the command loads a broker.</param>
internal sealed class WorkersOption(bool isLive = false)
{
    /// <summary>The option itself.</summary>
    public Option<string?> Address { get; } =
        new("--workers")
        {
            HelpName = "ADDRESS",
            Description = isLive
                ? "Divide the clients among the workers that joined this address, redis://HOST:PORT or HOST:PORT, see "
                    + "'worker'. All begin at one time."
                : "Simulate on the workers that joined this address, redis://HOST:PORT or HOST:PORT, see 'worker'. "
                    + "The result is the same to the bit.",
        };

    private readonly Option<FileInfo?> _certificate = Certificate("With --workers: ");

    /// <summary><c>--certificate</c>.</summary>
    /// <param name="condition">When it may be given.</param>
    public static Option<FileInfo?> Certificate(string condition) =>
        new("--certificate")
        {
            HelpName = "FILE",
            Description =
                condition
                + "speak TLS with this certificate, PEM with its private key. "
                + "Other certificates in the file are trusted too.",
        };

    /// <summary>
    /// The arguments without these options: a result that is the same without workers is repeated without them.
    /// </summary>
    public static IReadOnlyList<string> Without(IReadOnlyList<string> arguments)
    {
        var kept = new List<string>();
        for (var i = 0; i < arguments.Count; i++)
        {
            var name = arguments[i].Split('=', ':')[0];
            if (name is not ("--workers" or "--certificate"))
                kept.Add(arguments[i]);
            else if (name == arguments[i])
                i++;
        }
        return kept;
    }

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command) => command.AddAll(Address, _certificate);

    /// <summary>Refuses what is wrong with the options, before anything is started.</summary>
    /// <exception cref="InputException">An option is not allowed.</exception>
    public void Require(ParseResult parse)
    {
        RequirePair(parse);
        if (parse.GetValue(Address) is { } address)
            WorkerPoolStage.Require(address, parse.GetValue(_certificate)?.ToString());
    }

    /// <summary>Connects to the workers that were given. Call <see cref="Require"/> before.</summary>
    /// <exception cref="IOException">No worker may be used.</exception>
    public Task<LiveWorkers> ConnectAsync(ParseResult parse, Screen screen, Interruption interruption) =>
        parse.GetValue(Address) is { } address
            ? WorkerPoolStage.ConnectAsync(address, parse.GetValue(_certificate)?.ToString(), screen, interruption)
            : Task.FromResult(LiveWorkers.None);

    /// <summary>Does the work of a command with the workers that were given.</summary>
    /// <param name="work">The work; it is given the workers, or null for the threads of this process.</param>
    /// <exception cref="InputException">An option is not allowed.</exception>
    public Task<TResult> RunAsync<TResult>(
        ParseResult parse,
        Screen screen,
        Interruption interruption,
        Func<IShardRunner?, TResult> work
    ) => RunAsync(parse, screen, interruption, runner => Task.FromResult(work(runner)));

    /// <inheritdoc cref="RunAsync{TResult}(ParseResult, Screen, Interruption, Func{IShardRunner?, TResult})"/>
    public Task<TResult> RunAsync<TResult>(
        ParseResult parse,
        Screen screen,
        Interruption interruption,
        Func<IShardRunner?, Task<TResult>> work
    )
    {
        var address = parse.GetValue(Address);
        var certificate = parse.GetValue(_certificate);
        RequirePair(parse);
        return address is null
            ? work(null)
            : WorkerPoolStage.RunAsync(address, certificate?.ToString(), screen, interruption, work);
    }

    private void RequirePair(ParseResult parse)
    {
        if (parse.GetValue(Address) is null && parse.GetValue(_certificate) is not null)
            throw new InputException("--certificate: given without --workers; allowed: only beside it.");
    }
}
