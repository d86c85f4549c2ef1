using System.Diagnostics;
using System.Globalization;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>A program that lives no longer than this process, even when this process is killed.</summary>
/// <remarks>
/// The program depends on a pipe: this process holds the writing end and never writes. A shell starts the program. When
/// the pipe breaks, the shell ends the program with SIGTERM and deletes its directory. A program that watches its own
/// standard input needs no shell. The program leaves the terminal's session, so that Ctrl-C reaches only this process.
/// This process then decides when the program ends.
/// </remarks>
internal sealed class ChildProcess(Process process) : IAsyncDisposable
{
    /// <summary>The text that the guard prints on standard error before the program's process id.</summary>
    internal const string ProcessIdMark = "mqttcheck: process id ";

    /// <summary>
    /// The guard: $0 is the directory, the arguments are the program. The program gets no standard input; its exit code
    /// is passed on.
    /// </summary>
    internal const string GuardScript =
        "exec 3<&0; \"$@\" 3<&- </dev/null & b=$!; echo \""
        + ProcessIdMark
        + "$b\" >&2; (read _ <&3; kill $b) & w=$!; wait $b; r=$?; "
        + "kill $w 2>/dev/null; rm -rf -- \"$0\"; exit $r";

    /// <summary>
    /// The guard of a node of a cluster, whose directory outlives it: the arguments are the program. It is ended by
    /// SIGKILL when the pipe breaks, because a frozen program takes no other signal.
    /// </summary>
    internal const string NodeGuardScript =
        "exec 3<&0; \"$@\" 3<&- </dev/null & b=$!; echo \""
        + ProcessIdMark
        + "$b\" >&2; (read _ <&3; kill -9 $b) & w=$!; wait $b; r=$?; kill $w 2>/dev/null; exit $r";

    private static readonly TimeSpan KillPatience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan OutputPatience = TimeSpan.FromMilliseconds(200);
    private readonly TaskCompletionSource<int> _exited = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<int?> _processId = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<string?> _firstLine = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _outputEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _errorsEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // The outputs are kept apart, so that a verbose output does not displace an error message.
    private readonly OutputTail _output = new();
    private readonly OutputTail _errors = new();
    private bool _disposed;

    /// <summary>The program's own process id once it runs, null if it never did.</summary>
    public Task<int?> ProcessId => _processId.Task;

    /// <summary>The first line of the program's standard output, null if it ended without one.</summary>
    public Task<string?> FirstLine => _firstLine.Task;

    /// <summary>The exit code, when it has ended.</summary>
    public Task<int> Exited => _exited.Task;

    /// <summary>
    /// The last lines of standard output and, after them, of standard error; or a sentence that there are none.
    /// </summary>
    public string Output
    {
        get
        {
            string[] lines = [.. _output.ToArray(), .. _errors.ToArray()];
            return lines.Length == 0
                ? "It printed nothing."
                : "It printed:\n" + string.Join('\n', lines.Select(line => "  " + line));
        }
    }

    /// <summary>Starts a program that knows nothing of its parent.</summary>
    /// <param name="command">The program.</param>
    /// <param name="directory">Its working directory, which is deleted when it has ended.</param>
    /// <exception cref="BrokerException">It cannot be started.</exception>
    public static ChildProcess StartGuarded(BrokerCommand command, string directory) =>
        OperatingSystem.IsWindows()
            ? Start(command.FileName, command.Arguments, command.Environment, directory, isGuarded: false)
            : Start(
                "/bin/sh",
                ["-c", GuardScript, directory, command.FileName, .. command.Arguments],
                command.Environment,
                directory,
                isGuarded: true
            );

    /// <summary>Starts a program that knows nothing of its parent, and whose directory outlives it.</summary>
    /// <param name="command">The program.</param>
    /// <param name="directory">Its working directory.</param>
    /// <exception cref="BrokerException">It cannot be started.</exception>
    public static ChildProcess StartNode(BrokerCommand command, string directory) =>
        OperatingSystem.IsWindows()
            ? Start(command.FileName, command.Arguments, command.Environment, directory, isGuarded: false)
            : Start(
                "/bin/sh",
                ["-c", NodeGuardScript, "sh", command.FileName, .. command.Arguments],
                command.Environment,
                directory,
                isGuarded: true
            );

    /// <summary>Starts a program that ends when its standard input does.</summary>
    /// <param name="command">The program.</param>
    /// <exception cref="BrokerException">It cannot be started.</exception>
    public static ChildProcess StartWatching(BrokerCommand command) =>
        Start(command.FileName, command.Arguments, command.Environment, directory: "", isGuarded: false);

    /// <summary>Ends the program: in order, and by force if it takes too long.</summary>
    /// <param name="patience">How long it may take.</param>
    public async Task StopAsync(TimeSpan patience)
    {
        try
        {
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already.
        }
        if (await HasExitedWithin(patience))
            return;
        try
        {
            process.Kill(entireProcessTree: true);
        }
        catch (InvalidOperationException)
        {
            // It has ended in between.
        }
        await HasExitedWithin(KillPatience);
    }

    /// <summary>Sends a signal to the program, unless it has ended.</summary>
    /// <param name="signal">The signal.</param>
    /// <exception cref="BrokerException">The system refuses, or knows no signals.</exception>
    public async Task SignalAsync(ProcessSignal signal)
    {
        if (await ProcessId is { } id && !Exited.IsCompleted)
            signal.SendTo(id);
    }

    /// <summary>Ends the program if it still runs.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_disposed)
            return;
        _disposed = true;
        await StopAsync(KillPatience);
        process.Dispose();
    }

    private static ChildProcess Start(
        string fileName,
        IReadOnlyList<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        string directory,
        bool isGuarded
    )
    {
        var start = new ProcessStartInfo
        {
            FileName = fileName,
            WorkingDirectory = directory,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            CreateNoWindow = true,
        };
        if (OperatingSystem.IsLinux() && CommandSearch.Find("setsid") is { } newSession)
        {
            start.FileName = newSession;
            start.ArgumentList.Add(fileName);
        }
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var process = new Process { StartInfo = start, EnableRaisingEvents = true };
        var child = new ChildProcess(process);
        process.OutputDataReceived += (_, line) => child.Printed(line.Data);
        process.ErrorDataReceived += (_, line) => child.PrintedError(line.Data);
        process.Exited += (_, _) => _ = child.EndedAsync();
        try
        {
            process.Start();
        }
        catch (Exception failure) when (failure is System.ComponentModel.Win32Exception or IOException)
        {
            process.Dispose();
            throw new BrokerException($"'{fileName}' cannot be started: {failure.Message}", failure);
        }
        if (!isGuarded)
            child._processId.TrySetResult(process.Id);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return child;
    }

    private async Task<bool> HasExitedWithin(TimeSpan patience)
    {
        try
        {
            await Exited.WaitAsync(patience);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    private void Printed(string? line)
    {
        if (line is null)
        {
            _outputEnded.TrySetResult();
            return;
        }
        _output.Add(line);
        _firstLine.TrySetResult(line);
    }

    private void PrintedError(string? line)
    {
        if (line is null)
        {
            _errorsEnded.TrySetResult();
        }
        else if (line.StartsWith(ProcessIdMark, StringComparison.Ordinal) && !_processId.Task.IsCompleted)
        {
            _processId.TrySetResult(int.Parse(line.AsSpan(ProcessIdMark.Length), CultureInfo.InvariantCulture));
        }
        else
        {
            _errors.Add(line);
        }
    }

    private async Task EndedAsync()
    {
        var code = process.ExitCode;
        // The last lines of the program may still be on their way. A helper that keeps the pipe open must not block
        // this process.
        await Task.WhenAny(Task.WhenAll(_outputEnded.Task, _errorsEnded.Task), Task.Delay(OutputPatience));
        _firstLine.TrySetResult(null);
        _processId.TrySetResult(null);
        _exited.TrySetResult(code);
    }
}
