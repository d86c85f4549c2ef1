using System.CommandLine;
using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Terminal;
using Spectre.Console;

namespace MqttCheck.Cli.WhatIf;

/// <summary>
/// A command of this tool that the page starts: what it prints goes to the page, and it does what it would do in a
/// terminal.
/// </summary>
/// <param name="time">The clock.</param>
/// <param name="take">Takes each line that it prints.</param>
internal sealed class CapturedCommand(TimeProvider time, Action<string> take)
{
    private const int LinesOfError = 20;

    private readonly Lock _gate = new();
    private readonly Queue<string> _errors = new();

    /// <summary>Runs it.</summary>
    /// <param name="create">Makes the command.</param>
    /// <param name="arguments">Its arguments, its own name included.</param>
    /// <param name="orderly">Stops it.</param>
    /// <param name="atOnce">Ends it without clean-up on a broker.</param>
    /// <returns>Its exit code.</returns>
    /// <exception cref="InputException">The input was wrong, or the broker failed: what it said.</exception>
    public async Task<int> RunAsync(
        Func<Screen, Interruption, Command> create,
        IReadOnlyList<string> arguments,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        using var interruption = new Interruption();
        // The first asks for an orderly end, the second for one at once.
        await using var first = orderly.Register(interruption.Interrupt);
        await using var second = atOnce.Register(() =>
        {
            interruption.Interrupt();
            interruption.Interrupt();
        });
        var screen = new Screen(Console(take), Console(Error), interactive: false, time)
        {
            // The page has room for details.
            Verbosity = Verbosity.Verbose,
        };
        var parsed = new RootCommand { create(screen, interruption) }.Parse(arguments);
        InputException.ThrowIfAny(parsed.Errors.Select(error => error.Message));
        int code;
        try
        {
            code = await parsed.InvokeAsync(
                new() { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null },
                CancellationToken.None
            );
        }
        catch (Exception failure) when (failure is BrokerException or WireException or IOException)
        {
            throw new InputException(failure.Message, failure);
        }
        catch (OperationCanceledException) when (interruption.Orderly.IsCancellationRequested)
        {
            return ExitCode.Interrupted;
        }
        if (code is not (ExitCode.WrongInput or ExitCode.BrokerFailed))
            return code;
        lock (_gate)
            throw new InputException(
                _errors.Count > 0
                    ? string.Join('\n', _errors)
                    : string.Create(CultureInfo.InvariantCulture, $"'{arguments[0]}' ended with exit code {code}.")
            );
    }

    private void Error(string line)
    {
        lock (_gate)
        {
            _errors.Enqueue(line);
            if (_errors.Count > LinesOfError)
                _errors.Dequeue();
        }
        take(line);
    }

    private static IAnsiConsole Console(Action<string> take) =>
        Screen.Create(new LineWriter(take), isPlain: true, hasColors: false);
}
