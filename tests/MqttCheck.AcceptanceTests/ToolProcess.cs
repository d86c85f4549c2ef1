using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests;

/// <summary>The tool as a user runs it: a process of its own, in a directory of its own.</summary>
internal sealed class ToolProcess : IDisposable
{
    private static readonly string Tool = Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli.dll");
    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();

    private ToolProcess(string directory, IReadOnlyDictionary<string, string>? environment, string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            WorkingDirectory = directory,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            UseShellExecute = false,
        };
        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(Tool);
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Append(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Append(_error, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        _process.StandardInput.Close();
    }

    /// <summary>Standard output so far.</summary>
    public string Output
    {
        get
        {
            lock (_output)
                return _output.ToString();
        }
    }

    /// <summary>Standard error so far.</summary>
    public string Error
    {
        get
        {
            lock (_error)
                return _error.ToString();
        }
    }

    public int Id => _process.Id;

    /// <summary>Starts the tool and leaves it running.</summary>
    public static ToolProcess Start(string directory, params string[] arguments) => new(directory, null, arguments);

    /// <summary>Starts the tool with environment variables, and leaves it running.</summary>
    public static ToolProcess Start(
        string directory,
        IReadOnlyDictionary<string, string> environment,
        string[] arguments
    ) => new(directory, environment, arguments);

    /// <summary>Runs the tool to its end.</summary>
    public static async Task<ToolResult> RunAsync(string directory, params string[] arguments) =>
        await RunAsync(directory, null, arguments);

    /// <summary>Runs the tool to its end, with environment variables.</summary>
    public static async Task<ToolResult> RunAsync(
        string directory,
        IReadOnlyDictionary<string, string>? environment,
        params string[] arguments
    )
    {
        using var tool = new ToolProcess(directory, environment, arguments);
        return await tool.WaitAsync();
    }

    /// <summary>Runs the tool to its end; any exit code but 0 fails the test.</summary>
    public static async Task<ToolResult> SucceedAsync(string directory, params string[] arguments) =>
        await SucceedAsync(directory, null, arguments);

    /// <summary>The same, with environment variables.</summary>
    public static async Task<ToolResult> SucceedAsync(
        string directory,
        IReadOnlyDictionary<string, string>? environment,
        params string[] arguments
    )
    {
        var result = await RunAsync(directory, environment, arguments);
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        return result;
    }

    /// <summary>Starts the embedded broker, and its address.</summary>
    public static async Task<(ToolProcess Broker, string Address)> ServeAsync(string directory, params string[] access)
    {
        var broker = Start(directory, ["broker", "--port", "0", "--delay", "lognormal:5ms,0.5", .. access]);
        await broker.WaitForAsync("listening on ");
        return (broker, "mqtt://" + broker.Output.Split("listening on ")[1].Trim());
    }

    /// <summary>Waits for the end; a tool that does not end within ten minutes is ended and fails the test.</summary>
    public async Task<ToolResult> WaitAsync()
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(10));
        try
        {
            await _process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            _process.Kill(entireProcessTree: true);
            Assert.Fail($"the tool did not end within ten minutes; it printed:\n{Output}\n{Error}");
        }
        return new ToolResult(_process.ExitCode, Output, Error);
    }

    /// <summary>
    /// Waits until what the tool has printed to standard error or output matches a regular expression.
    /// </summary>
    public async Task WaitForAsync(string pattern)
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (!limit.IsCancellationRequested && !_process.HasExited && !Regex.IsMatch(Error + Output, pattern))
            await Task.Delay(20);
        Assert.That(Error + Output, Does.Match(pattern), "what the tool printed until its end, or in two minutes");
    }

    /// <summary>Sends a signal: INT or TERM.</summary>
    public void Signal(string name)
    {
        using var kill = Process.Start("/bin/kill", [$"-{name}", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Sends a signal, and waits for the end.</summary>
    public async Task<ToolResult> EndAsync(string signal)
    {
        Signal(signal);
        return await WaitAsync();
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private static void Append(StringBuilder text, string? line)
    {
        if (line is null)
            return;
        lock (text)
            text.AppendLine(line);
    }
}
