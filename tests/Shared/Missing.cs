namespace Shared;

/// <summary>
/// Ends a test that needs something that this machine lacks: it is skipped, and fails in continuous integration, where
/// nothing may lack.
/// </summary>
internal static class Missing
{
    public static bool IsContinuousIntegration => Environment.GetEnvironmentVariable("CI") == "true";

    public static void Report(string message)
    {
        if (IsContinuousIntegration)
            Assert.Fail(message);
        Assert.Ignore(message);
    }

    /// <summary>Reports a command that is neither in PATH nor in /usr/sbin.</summary>
    public static void Require(string command, string howToInstall)
    {
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
        if (!folders.Append("/usr/sbin").Any(folder => File.Exists(Path.Combine(folder, command))))
            Report($"{command} is not installed; install it: {howToInstall}.");
    }
}
