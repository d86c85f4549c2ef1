using System.Security.Cryptography;

namespace MqttCheck.App.Runs;

/// <summary>The hash that tells apart files which bear the same name at different times.</summary>
internal static class FileHash
{
    private const int ShownDigits = 12;

    /// <summary>The SHA-256 of a file, in lower-case hexadecimal digits.</summary>
    public static string OfFile(string path) => Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(path)));

    /// <summary>The first digits of a hash, as many as people compare.</summary>
    public static string Short(string hash) => hash.Length <= ShownDigits ? hash : hash[..ShownDigits];
}
