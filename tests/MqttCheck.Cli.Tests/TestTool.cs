using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests;

/// <summary>Runs command lines in this process.</summary>
internal static class TestTool
{
    /// <summary>The root of the working tree.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>A file of the samples.</summary>
    /// <param name="path">Its path below <c>samples</c>.</param>
    public static string Sample(string path) => Path.Combine(Root, "samples", path);

    public static async Task<(int Code, TestScreen Screen)> RunAsync(params string[] arguments)
    {
        var screen = new TestScreen();
        using var interruption = new Interruption();
        return (await ToolCommands.RunAsync(arguments, screen.Screen, interruption), screen);
    }

    private static string FindRoot()
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!Directory.Exists(Path.Combine(directory!.FullName, "samples", "logs")))
            directory = directory.Parent;
        return directory.FullName;
    }
}
