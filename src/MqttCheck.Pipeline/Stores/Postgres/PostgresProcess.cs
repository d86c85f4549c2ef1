using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Pipeline.Stores.Postgres;

/// <summary>A PostgreSQL server on loopback with the settings of its package, in a directory of its own.</summary>
internal sealed class PostgresProcess : IDisposable
{
    /// <summary>The installation hint.</summary>
    public const string HowToInstall =
        "postgres is not installed; install it: apt-get install postgresql (Debian, Ubuntu), brew install postgresql "
        + "(macOS).";

    // Debian keeps the programs of each version apart, and puts none of them into the search path.
    private const string Installed = "/usr/lib/postgresql";
    private const string Control = "pg_ctl";

    // The server refuses to run as root.
    private const string User = "postgres";

    private readonly string _directory;
    private readonly string _control;
    private readonly string _data;

    private PostgresProcess(string directory, string control, int port)
    {
        (_directory, _control, _data) = (directory, control, Path.Combine(directory, "data"));
        ConnectionString = string.Create(
            CultureInfo.InvariantCulture,
            $"Host=127.0.0.1;Port={port};Username={User};Database=postgres;Pooling=false"
        );
    }

    /// <summary>How clients connect.</summary>
    public string ConnectionString { get; }

    /// <summary>Starts a server.</summary>
    /// <param name="settings">Settings of the server beside those of its package, as NAME=VALUE.</param>
    /// <returns>The server; null where the program is not installed.</returns>
    public static async Task<PostgresProcess?> StartAsync(params string[] settings)
    {
        if (FindControl() is not { } control)
            return null;
        var directory = Directory.CreateTempSubdirectory("mqttcheck-postgres-").FullName;
        var port = FreePort();
        var server = new PostgresProcess(directory, control, port);
        if (Environment.IsPrivilegedProcess)
            await RunAsync("chown", User, directory);
        await server.ControlAsync("initdb", "-o", $"--auth=trust --username={User} --no-sync");
        var options = string.Create(CultureInfo.InvariantCulture, $"-p {port} -h 127.0.0.1 -k {directory}");
        await server.ControlAsync(
            "start",
            "-w",
            "-l",
            Path.Combine(directory, "server.log"),
            "-o",
            settings.Aggregate(options, (text, setting) => $"{text} -c {setting}")
        );
        return server;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        ControlAsync("stop", "-m", "immediate").GetAwaiter().GetResult();
        Directory.Delete(_directory, recursive: true);
    }

    private Task ControlAsync(string verb, params string[] arguments)
    {
        string[] words = [verb, "-D", _data, "-s", .. arguments];
        return Environment.IsPrivilegedProcess
            ? RunAsync("setpriv", [$"--reuid={User}", $"--regid={User}", "--init-groups", "--", _control, .. words])
            : RunAsync(_control, words);
    }

    // The newest of the versions that are installed.
    private static string? FindControl() =>
        CommandSearch.Find(Control)
        ?? (
            Directory.Exists(Installed)
                ? Directory
                    .GetDirectories(Installed)
                    .OrderByDescending(version => double.Parse(Path.GetFileName(version), CultureInfo.InvariantCulture))
                    .Select(version => Path.Combine(version, "bin", Control))
                    .FirstOrDefault(File.Exists)
                : null
        );

    private static async Task RunAsync(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = "/" };
        using var process = Process.Start(start) ?? throw new Win32Exception($"{program} does not start.");
        await process.WaitForExitAsync();
        if (process.ExitCode != 0)
            throw new InvalidOperationException(
                $"{program} {string.Join(' ', arguments)} ended with exit code {process.ExitCode}."
            );
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
