using System.Security.Cryptography;

namespace MqttCheck.Cli.Results;

/// <summary>By which files are told apart that bear one name at different times.</summary>
internal static class FileHash
{
    private const int ShownDigits = 12;

    /// <summary>The SHA-256 of a file, in lower-case hexadecimal digits.</summary>
    public static string OfFile(string path) => Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(path)));

    /// <summary>As much of a hash as people compare.</summary>
    public static string Short(string hash) => hash.Length <= ShownDigits ? hash : hash[..ShownDigits];
}
