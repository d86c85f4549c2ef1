using System.CommandLine;
using MqttCheck.Cli.Terminal;
using MqttCheck.Shards;

namespace MqttCheck.Cli.Workers;

/// <summary>
/// <c>--workers</c> of the commands that simulate: where the replications are computed. Nothing of Orleans is loaded
/// without it.
/// </summary>
internal sealed class WorkersOption
{
    private readonly Option<string?> _workers = new("--workers")
    {
        HelpName = "ADDRESS",
        Description =
            "Simulate on the workers that joined this address, redis://HOST:PORT or HOST:PORT, "
            + "see 'worker'. The result is the same to the bit.",
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
    public void AddTo(Command command)
    {
        command.Options.Add(_workers);
        command.Options.Add(_certificate);
    }

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
        var address = parse.GetValue(_workers);
        var certificate = parse.GetValue(_certificate);
        if (address is null && certificate is not null)
            throw new InputException("--certificate: given without --workers; allowed: only beside it.");
        return address is null
            ? work(null)
            : WorkerPoolStage.RunAsync(address, certificate?.ToString(), screen, interruption, work);
    }
}
